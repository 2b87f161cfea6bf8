// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/pair_set.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {

/// The amount of work of an alignment.
struct Workload {
  std::size_t sequences = 0;
  std::uint64_t residues = 0;
  std::uint64_t pairs = 0;
  /// Cells of the dynamic programming: the sum of the products of lengths over the pairs, less for
  /// pairs in pieces.
  double cells = 0;
  /// The cells that the vector lanes of the host compute for the pairs without a placed sequence,
  /// with the cells of idle lanes. 16 pairs are side by side, and take as long as the longest pair.
  double lane_cells = 0;
  double task_lane_cells = 0;  ///< of the longest pair, which one thread computes
  double task_bytes = 0;       ///< working memory of the largest task of a thread of the host
  /// Working memory of the largest task of a thread of the host in the local modes: of local
  /// alignments, or, if it takes more, of the alignment of two groups.
  double local_task_bytes = 0;
  /// Rows of the posterior matrices of the pairs without a placed sequence: the sum of the longer
  /// lengths.
  double rows = 0;
  /// Sequences that are aligned with the whole method: all, or the backbone of a large family.
  std::size_t backbone = 0;
  /// How many times the work of the backbone is done, one after another: for subsets, their work
  /// in units of that of one subset of the largest size. `cells`, `lane_cells` and `pairs` count
  /// all of them, `rows` one.
  double repeats = 1;
  double placed_lane_cells = 0;  ///< of the pairs of a placed sequence and a member
  double placed_rows = 0;        ///< of the posterior matrices of such pairs in memory at a time
  std::size_t alignments = 1;    ///< of the family that are in memory at a time
  double superposed_cells = 0;   ///< of the pairs of structures that can be superposed
  double superposed_bytes = 0;   ///< working memory of the largest such pair
  double folded_cubes = 0;       ///< sum of the cubes of the lengths of RNA that may be folded
  double folded_bytes = 0;       ///< working memory of the longest of these sequences
  /// Steps of the search for the members that are most similar to each placed sequence, by longest
  /// common subsequences; a step computes 64 cells.
  double common_words = 0;
};

/// The work of computing the wanted pairs of a family.
/// Cost    O(N), by arithmetic over the lengths: memory could not hold a list of the pairs of a
///         very large family.
Workload workload_of(const SequenceSet& set, const PairSet& wanted);
/// The work of all pairs of a family. Long nucleotide sequences count as if computed in pieces.
Workload workload_of(const SequenceSet& set);
/// The work of aligning a family: of all pairs, or, if the family is large, of a backbone and of
/// placing the other sequences, or of its subsets. The lengths in the backbone are taken to be
/// spread as in the family.
Workload workload_of(const SequenceSet& set, const FamilyPlan& plan, const LargeEffort& effort);
/// The same of a prepared family.
Workload workload_of(const PreparedFamily& family);

/// The work of all pairs of a backbone of `backbone` sequences, with lengths spread as in the
/// family, and of placing the other sequences.
Workload work_of_backbone(const SequenceSet& set, std::size_t backbone, const LargeEffort& effort);
/// The work of aligning a family by subsets of at most `most` sequences, with lengths spread as in
/// the family.
Workload work_of_subsets(const SequenceSet& set, std::size_t most);
/// The work of adding sequences to an alignment. `set` has the `rows` rows of the alignment and the
/// sequences to add.
Workload work_of_adding(const SequenceSet& set, std::size_t rows, const LargeEffort& effort);

/// The cells of the dynamic programming for aligning sequences of these lengths, in any order: the
/// cells of all pairs, or those of the pairs of a backbone and of the pairs of each other sequence
/// with its nearest LargeEffort::first_members members.
double predicted_cells(std::span<const std::uint32_t> lengths, const MethodOptions& method);

/// Estimates the number of letters in a file of `bytes` bytes, without reading it. The suffix of
/// `file`, its path, shows whether it is packed, and whether it has structures.
double file_letters(const std::string& file, std::uintmax_t bytes);

/// The most work that aligning a family with `letters` letters in all can take, in units of half a
/// cell of the dynamic programming.
double file_work(double letters);

/// The work of neighbour joining of `taxa` taxa, in the unit of file_work().
double neighbor_joining_work(std::size_t taxa);

}  // namespace accord
