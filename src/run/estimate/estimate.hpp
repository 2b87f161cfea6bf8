// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/estimate/workload.hpp"

namespace accord {

/// The outputs of a family: they decide which data are in memory at the same time.
enum class Purpose {
  alignment,
  core,        ///< of a large family alone: the other sequences are read and compared
  confidence,  ///< of an alignment that is given
  tree,
  distances,  ///< as a text
};

/// What a few pairs of the family say about all of them.
struct Sample {
  double cells_per_row = 5;            ///< kept cells of a posterior matrix
  double lane_cells_per_second = 3e8;  ///< of the dynamic programming, one thread
  bool is_measured = false;            ///< else usual figures: there is too little work to measure
};

/// The most that is believed of a family before pairs of it have been tried: more kept cells than
/// any family of datasets/ or BAliBASE has. Memory that is promised rests on it.
Sample worst_case();

/// Computes posteriors of pairs among some sequences, spread over the lengths, of long ones of the
/// first residues; takes at most a few tenths of a second on the host.
Sample sample_family(const SequenceSet& set, const AlignSettings& settings);

/// Seconds that the host needs for so much work, roughly (BAliBASE and PREFAB families on an EPYC).
double host_seconds(double work, int threads);

/// Host memory that a family takes at its peak, in bytes: stored posteriors (see PosteriorSet; two
/// sets during a consistency round, a third if the confidence is asked for), term lists of the
/// consistency transform, workspaces of the threads that work on it, distances, and the rows. The
/// confidence of a given alignment needs one set; distances alone need none, but a text of 9 bytes
/// for each.
std::size_t family_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                          int threads, Purpose purpose = Purpose::alignment);

/// Host memory that the program takes beside its families.
std::size_t program_memory(int threads);

/// Host memory that a run with one family takes at its peak: the sum of the two.
std::size_t estimate_memory(const Workload& work, const Sample& sample,
                            const AlignSettings& settings, int threads,
                            Purpose purpose = Purpose::alignment);

/// Seconds on the host alone.
///
/// Reference  calibrated on nine BAliBASE and three OXBench families of 10 to 318 sequences of 87
///         to 917 residues, one thread of an EPYC with AVX-512: posteriors take 2.4 to 4.0 ns a
///         lane cell, the transform 0.5 to 1.6 lane cells for each kept cell and intermediate; the
///         refinement on fourteen BAliBASE families of 4 to 140 sequences, and 6 of 5000 residues;
///         placing on eleven large families of 1,000 to 2,600 sequences (HomFam, QuanTest2,
///         Balifam).
double estimate_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                        int threads);

/// Estimates of the time were at most this factor off on ten families of 0.7 to 5 s, most of them
/// among those of the calibration.
constexpr double kEstimateFactor = 2.1;

/// Refuses a family that would not fit into the budget. Families that fit for sure are not sampled.
/// Throws  Error{out_of_memory} with the need, the budget and what would fit.
void check_memory(const SequenceSet& set, const AlignSettings& settings, int threads,
                  std::optional<std::size_t> budget, Purpose purpose = Purpose::alignment);

/// The same with facts about the family that are known already. `fits`: what would fit beside that,
/// as the beginning of the hint.
void check_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                  int threads, std::optional<std::size_t> budget,
                  Purpose purpose = Purpose::alignment, std::string fits = {});

/// "3.2 GiB", "15 MiB".
std::string format_bytes(double bytes);

}  // namespace accord
