// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/pair_set.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"

namespace accord {

/// How much work an alignment is.
struct Workload {
  std::size_t sequences = 0;
  std::uint64_t residues = 0;
  std::uint64_t pairs = 0;
  double cells = 0;  ///< of the dynamic programming: sum of the products of lengths over the pairs
  /// The same with 16 pairs side by side, all as long as the longest of them and none left out:
  /// what the vector lanes of the host compute.
  double lane_cells = 0;
  double task_lane_cells = 0;   ///< of the longest pair, which one thread computes
  double task_bytes = 0;        ///< working memory of the largest task of a thread of the host
  double local_task_bytes = 0;  ///< the same in the local modes, and of the largest group
  double rows = 0;  ///< of the posterior matrices: sum of the longer lengths over the pairs
  /// Sequences that are aligned with the whole method: all, or the backbone of a large family,
  /// whose work stands above.
  std::size_t backbone = 0;
  double placed_lane_cells = 0;  ///< of the pairs of the others with their representatives
  double placed_rows = 0;        ///< of the posterior matrices of these, at a time
  double common_words = 0;       ///< steps of 64 cells of the common subsequences
};

/// The work of the pairs that are wanted of a family.
/// Cost    O(N): by arithmetic over the lengths, so that a family can be refused that is far too
///         large for a list of its pairs.
Workload workload_of(const SequenceSet& set, const PairSet& wanted);
/// The same for all pairs; those of long nucleotide sequences as they are computed in pieces.
Workload workload_of(const SequenceSet& set);
/// The work of aligning the family as the settings ask for: all pairs, or a backbone that has the
/// lengths of the family, and the other sequences (see backbone_size).
Workload workload_of(const SequenceSet& set, const AlignSettings& settings);

/// The work of all pairs of a backbone of so many sequences, with lengths as those of the family,
/// and of placing the others among them.
Workload work_of_backbone(const SequenceSet& set, std::size_t backbone);
/// The work of adding the other sequences of the set to an alignment of so many rows.
Workload work_of_adding(const SequenceSet& set, std::size_t rows);

/// The cells of the pairs of aligning sequences of these lengths, in any order: of all pairs, or of
/// those of a backbone and of the first step of placing the others in it (see place_in_steps).
double predicted_cells(std::span<const std::uint32_t> lengths, const MethodOptions& method);

/// What is made of a family: it decides what is in memory at the same time.
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

/// The letters that a file of this size may hold, unpacked if its name says that it is packed.
double file_letters(const std::string& file, std::uintmax_t bytes);

/// The work of aligning so many letters, before more is known: twice the cells of their pairs.
double file_work(double letters);

/// The work of joining so many taxa, in the same unit.
double neighbor_joining_work(std::size_t taxa);

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
///         refinement on fourteen BAliBASE families of 4 to 140 sequences, and 6 of 5000 residues.
double estimate_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                        int threads);

/// Estimates of the time were at most this factor off on ten families of 0.7 to 5 s, most of them
/// among those of the calibration.
constexpr double kEstimateFactor = 2.1;

/// Refuses a family that would not fit into the budget. Families that fit for sure are not sampled.
/// Throws  Error{out_of_memory} with the need, the budget and what would fit.
void check_memory(const SequenceSet& set, const AlignSettings& settings, int threads,
                  std::optional<std::size_t> budget, Purpose purpose = Purpose::alignment);

/// The same with what is known of the family already. `fits`: what would fit beside that, as the
/// beginning of the hint.
void check_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                  int threads, std::optional<std::size_t> budget,
                  Purpose purpose = Purpose::alignment, std::string fits = {});

/// "3.2 GiB", "15 MiB".
std::string format_bytes(double bytes);

}  // namespace accord
