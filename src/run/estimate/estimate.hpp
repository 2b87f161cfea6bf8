// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "method/settings.hpp"
#include "run/estimate/workload.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {

/// The output of a run with a family. It decides which data are in memory at the same time.
enum class FamilyOutput {
  alignment,
  core,        ///< the core of a large family; other sequences are only read and compared
  confidence,  ///< the confidence of a given alignment
  tree,        ///< the guide tree
  distances,   ///< a text with the distances of all pairs
};

/// Figures about the pairs of a family, measured on a few pairs.
struct Sample {
  double cells_per_row = 5;            ///< mean number of kept cells in a row of a posterior matrix
  double lane_cells_per_second = 3e8;  ///< rate of one thread (see Workload::lane_cells)
  bool is_measured = false;            ///< false: usual figures, as there was too little to measure
};

/// The figures for a family before any of its pairs were computed. They have more kept cells than
/// any family of datasets/ or BAliBASE. Memory is checked and reserved by them.
Sample worst_case();

/// Measures the figures of a family. It computes the posteriors of all pairs of a few sequences,
/// chosen evenly over the lengths, on one thread of the host. From a long sequence it takes only
/// the first residues. It takes at most a few tenths of a second.
Sample sample_family(const SequenceSet& set, const AlignSettings& settings);

/// The rough number of seconds that `threads` threads of the host need for an amount of work, in
/// the unit of file_work(). It was calibrated on BAliBASE and PREFAB families on an EPYC.
double host_seconds(double work, int threads);

/// Host memory that a family takes at its peak, in bytes: stored posteriors (see PosteriorSet; two
/// sets during a consistency round, a third if the confidence is computed), term lists of the
/// consistency transform, workspaces of the threads, distances, and the rows. The confidence of a
/// given alignment needs one posterior set. Distances alone need no posterior set, but 9 bytes of
/// text for each of the N^2 values. `threads`: number of threads that compute.
std::uint64_t family_memory(const Workload& work, const Sample& sample,
                            const AlignSettings& settings, int threads,
                            FamilyOutput output = FamilyOutput::alignment);

/// Host memory that the program takes besides its families, in bytes.
std::size_t program_memory(int threads);

/// Host memory that a run with one family takes at its peak, in bytes: program_memory() plus
/// family_memory(), both for the threads that get work. A family of N sequences has work for at
/// most N - 1 threads.
std::uint64_t estimate_memory(const Workload& work, const Sample& sample,
                              const AlignSettings& settings, int threads,
                              FamilyOutput output = FamilyOutput::alignment);

/// Estimates the stages of aligning a family on the host alone, in order; stages that take little
/// time are left out.
///
/// Reference  calibrated on nine BAliBASE and three OXBench families of 10 to 318 sequences of 87
///         to 917 residues, one thread of an EPYC with AVX-512: posteriors take 2.4 to 4.0 ns a
///         lane cell, the transform 0.5 to 1.6 lane cells for each kept cell and intermediate; the
///         refinement on fourteen BAliBASE families of 4 to 140 sequences, and 6 of 5000 residues;
///         placing on eleven large families of 1,000 to 2,600 sequences (HomFam, QuanTest2,
///         Balifam).
std::vector<ExpectedStage> expected_stages(const Workload& work, const Sample& sample,
                                           const AlignSettings& settings, int threads);

/// The sum of the seconds of expected_stages().
double estimate_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                        int threads);

/// The same of a prepared family, by the usual figures: no pair is computed.
double estimate_seconds(const PreparedFamily& family, int threads);

/// On ten families of 0.7 to 5 s, estimate_seconds() was wrong by at most this factor. Most of
/// these families were used for the calibration.
constexpr double kEstimateFactor = 2.1;

/// Refuses a family that would not fit into the memory budget. `budget`: host memory in bytes; if
/// it is not set, nothing is refused. `alignments`: see Workload. Measures pairs only if the family
/// might not fit.
/// Throws  Error{out_of_memory} with the need, the budget and what would fit.
void check_memory(const SequenceSet& set, const AlignSettings& settings, const FamilyPlan& plan,
                  int threads, std::optional<std::size_t> budget,
                  FamilyOutput output = FamilyOutput::alignment, std::size_t alignments = 1);

/// The same of a prepared family.
void check_memory(const PreparedFamily& family, int threads, std::optional<std::size_t> budget,
                  FamilyOutput output = FamilyOutput::alignment, std::size_t alignments = 1);

/// Does the same for a known workload and sample. `fits` is the beginning of the error's hint,
/// which lists settings that would fit; it is empty or ends with "; ".
/// Throws  Error{out_of_memory} as above.
void check_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                  int threads, std::optional<std::size_t> budget,
                  FamilyOutput output = FamilyOutput::alignment, std::string fits = {});

}  // namespace accord
