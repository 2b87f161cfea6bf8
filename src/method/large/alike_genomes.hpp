// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/sequence_set.hpp"
#include "method/large/representatives.hpp"
#include "method/settings.hpp"

namespace accord {

/// Samples of the words of nucleotide sequences. A word is 20 consecutive known bases. The hash of
/// a word decides whether it is sampled, so that a word is sampled in all sequences or in none. One
/// word in eight is.
///
/// Cost    8 bytes for each 8 residues; uses thread_count() threads.
/// Reference  samples by hash: Broder 1997, Compression and Complexity of Sequences, 21.
class WordSamples {
 public:
  /// Makes a sample of each sequence sequences[k] of the set, as sample k. The object keeps copies
  /// of all that it needs.
  WordSamples(const SequenceSet& set, std::span<const std::uint32_t> sequences);

  /// The number of samples.
  std::size_t size() const noexcept { return words_.size(); }
  /// The number of different words in sample k.
  std::size_t words(std::size_t k) const { return words_[k].size(); }

  /// The largest number of consecutive words of sample k, in sequence order, whose flag in `in` is
  /// false. `in` has a flag for each word, with the indices that shared_with() returns. About one
  /// in eight bases begins a sampled word.
  std::size_t longest_without(std::size_t k, const std::vector<bool>& in) const;

  /// The indices of the words in sample a that are also in sample b of `other`, increasing. `other`
  /// may be this object.
  std::vector<std::uint32_t> shared_with(std::size_t a, const WordSamples& other,
                                         std::size_t b) const;

  /// The number of shared words, as a share of the smaller of the two samples; 0 if one is empty.
  /// Unknown bases and missing ends hardly change it.
  double similarity_to(std::size_t a, const WordSamples& other, std::size_t b) const;

  /// The index of the most central sample. For each sample, the numbers of samples with each of its
  /// words are added up; the most central sample has the largest sum. Ties go to the first.
  std::size_t most_central() const;

 private:
  std::vector<std::vector<std::uint32_t>> words_;  // hashes, increasing
  std::vector<std::vector<std::uint32_t>> order_;  // indices into words_[k], in sequence order
};

/// Two long nucleotide sequences are alike if their similarity (WordSamples::similarity_to) is at
/// least this. Here and below, a nucleotide sequence is long if its length times the length of the
/// longest sequence of the family is at least 1e8 (see long_sequences). A tenth of the words of 20
/// bases remains if one base in nine differs.
constexpr double kAlike = 0.1;

/// A stretch of a genome is uncovered if this number of its consecutive sampled words, about 1,000
/// bases, is in no chosen member (see NearestGenomes). If one base in nine differs, one in a
/// hundred sequences of 30 kb has such a stretch by chance.
constexpr std::size_t kUncoveredWords = 128;

/// kGenomeBackbone: the number of members of a backbone of genomes. kGenomesNearest: the largest
/// number of members, or of rows of an alignment, with which a genome is placed.
constexpr std::size_t kGenomeBackbone = 16, kGenomesNearest = 4;

/// Selects the backbone of a family of genomes. A family is one of genomes if all sequences are
/// long nucleotide sequences, the backbone has fewer members than there are different sequences,
/// and each sequence outside the backbone is alike to a member. The first chosen member is the most
/// central sequence. Each further one is the sequence that is least similar to the chosen ones, so
/// that a sequence unlike all others becomes a member. There are settings.backbone members, or
/// kGenomeBackbone if settings.backbone is 0.
///
/// Returns  no value for other families, in a local mode, with a guide tree from a file, and with
///          LargeFamilies::never.
/// Shape   sequence indices, increasing.
/// Cost    that of WordSamples, and of comparing each sequence with the backbone.
std::optional<std::vector<std::uint32_t>> genome_backbone(const SequenceSet& set,
                                                          const AlignSettings& settings);

/// The sequences that are long and alike to a member, and at most kGenomesNearest chosen members
/// for each. The first chosen member shares most words with the sequence. Each further one shares
/// most of the words that no chosen member has, so that one member covers the parts that another
/// lacks because of unknown bases or missing ends. Ties go to the member that shares more words,
/// then to the lower place. A member that is not alike to the sequence is chosen only while the
/// sequence has an uncovered stretch (kUncoveredWords), since the posteriors of such a pair are
/// computed whole, not in pieces.
struct NearestGenomes {
  std::vector<std::size_t> which;  ///< indices in `sequences`, increasing
  NearestMembers nearest;          ///< [k]: the members for which[k], as indices in `members`
};
/// Finds the nearest genomes of some sequences among the members; both are sequence indices.
NearestGenomes nearest_genomes(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members);

}  // namespace accord
