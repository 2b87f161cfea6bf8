// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
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

/// The work of all pairs of a backbone of `backbone` sequences, with lengths as those of the
/// family, and of placing the other sequences among them.
Workload work_of_backbone(const SequenceSet& set, std::size_t backbone, const LargeEffort& effort);
/// The work of adding the other sequences of the set to an alignment of `rows` rows.
Workload work_of_adding(const SequenceSet& set, std::size_t rows, const LargeEffort& effort);

/// The cells of the pairs of aligning sequences of these lengths, in any order: of all pairs, or of
/// those of a backbone and of the first step of placing the others in it (see PlacingOptions).
double predicted_cells(std::span<const std::uint32_t> lengths, const MethodOptions& method);

/// The letters that a file of this size may hold, unpacked if its name says that it is packed.
double file_letters(const std::string& file, std::uintmax_t bytes);

/// The work of aligning `letters` letters, before more is known: twice the cells of their pairs.
double file_work(double letters);

/// The work of joining `taxa` taxa, in the same unit.
double neighbor_joining_work(std::size_t taxa);

}  // namespace accord
