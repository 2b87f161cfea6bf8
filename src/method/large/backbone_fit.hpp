// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/sequence_set.hpp"

namespace accord {

/// How well a backbone stands for the other sequences of a family, from some of these.
struct BackboneFit {
  std::size_t sequences = 0;  ///< that were looked at
  std::size_t far = 0;        ///< of these, the sequences that are far from every member
  double likeness = 1;        ///< of the sequence in the middle; see backbone_fit()

  /// Whether more than a third of the sequences are far, or the sequence in the middle is less like
  /// its nearest member than kUsualLikeness.
  bool is_bad() const;
};

/// The fit in words: "12 of 64 other sequences are far from all of its members, median likeness
/// 0.26".
std::string to_string(const BackboneFit& fit);

/// Compares up to kFitSequences distinct sequences outside the backbone, a sample by their letters,
/// with all members.
///
/// The likeness of a sequence is (s - r) / (1 - r). Here s is the largest similarity_of() the
/// longest common subsequence with a member, and r is the largest one with a member that is read
/// from its end to its beginning, which is as long and has the same residues. So the likeness of an
/// unrelated sequence is near 0, whatever the type and the lengths, and that of a copy is 1. A
/// sequence is far if its likeness is below kFarLikeness.
///
/// `members`: canonical indices, increasing; not empty.
/// Cost    two common subsequences for each sequence and member; thread_count() threads.
BackboneFit backbone_fit(const SequenceSet& set, std::span<const std::uint32_t> members);

constexpr std::size_t kFitSequences = 64;
constexpr double kFarLikeness = 0.1;
/// Of nine simulated families of 1,000 nucleotide sequences, the eight below this likeness gain by
/// subsets (SP + TC by .12 to .55), and the one above, of .65, loses .02.
constexpr double kUsualLikeness = 0.55;

inline bool BackboneFit::is_bad() const { return 3 * far > sequences || likeness < kUsualLikeness; }

}  // namespace accord
