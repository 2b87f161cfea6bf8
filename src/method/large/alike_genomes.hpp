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

/// Samples of the words (for_each_word) of nucleotide sequences: of all sequences the same eighth
/// of all words, by a hash of their letters.
///
/// Cost    8 bytes for each 8 residues; thread_count() threads.
/// Reference  samples by hash: Broder 1997, Compression and Complexity of Sequences, 21.
class WordSamples {
 public:
  /// Of these sequences of the set; the k-th sample is of the k-th of them.
  WordSamples(const SequenceSet& set, std::span<const std::uint32_t> sequences);

  std::size_t size() const noexcept { return words_.size(); }
  /// The number of words of a sample.
  std::size_t words(std::size_t k) const { return words_[k].size(); }

  /// The most words of a sequence in a row, as they stand in it, that are not among those `in`
  /// (a flag for each, in the order of shared_with()); about one in eight bases begins a word.
  std::size_t longest_without(std::size_t k, const std::vector<bool>& in) const;

  /// Which words of the a-th sequence the b-th of other samples (or of these) has, increasing.
  std::vector<std::uint32_t> shared_with(std::size_t a, const WordSamples& other,
                                         std::size_t b) const;

  /// The words that the a-th sequence shares with the b-th of other samples (or of these), as a
  /// share of the words of the one that has fewer; 0 if one has none. Unknown bases and ends that
  /// are cut off make hardly a difference.
  double similarity_to(std::size_t a, const WordSamples& other, std::size_t b) const;

  /// The one that has most in common with all: whose words stand in most of the samples, counted
  /// together. Of several the first.
  std::size_t most_central() const;

 private:
  std::vector<std::vector<std::uint32_t>> words_;  // hashes, increasing
  std::vector<std::vector<std::uint32_t>> order_;  // the words as they stand in the sequence
};

/// Two long nucleotide sequences (long_sequences) are alike if they share so much of their words
/// (WordSamples::similarity_to). A tenth of the words of 20 bases is left where one base in nine
/// differs.
constexpr double kAlike = 0.1;

/// About 1,000 bases. Where one base in nine differs, one in a hundred sequences of 30 kb has such
/// a stretch by chance.
constexpr std::size_t kUncoveredWords = 128;

/// Members of a backbone of alike genomes; members, or rows of an alignment, that a genome is
/// placed with.
constexpr std::size_t kGenomeBackbone = 16, kGenomesNearest = 4;

/// Which sequences of a family of genomes are its backbone, if it is one: the family has more
/// different nucleotide sequences than a backbone, each of them is long, and all that are not in
/// the backbone are alike to a member of it. The backbone is the most central sequence and then,
/// one after the other, those least like any that is chosen; what is like nothing else is thus a
/// member. It has kGenomeBackbone members, or as many as the settings say.
///
/// Returns  nothing for other families, for settings with a guide tree from a file, and if the
///         settings want the whole method (LargeFamilies::never).
/// Shape   increasing.
/// Cost    that of WordSamples, and the comparison of each with the backbone.
std::optional<std::vector<std::uint32_t>> genome_backbone(const SequenceSet& set,
                                                          const AlignSettings& settings);

/// The number of sequences of a family that are aligned with the whole method: those of a
/// genome_backbone(), or as many as backbone_size() of the lengths says.
std::size_t backbone_size(const SequenceSet& set, const AlignSettings& settings);

/// Which of the sequences are long and alike to a member, and for each of those at most
/// kGenomesNearest members: the one that shares most words with it, and then, one after the other,
/// those that have most of its words that no chosen one has, so that one covers what others lack by
/// unknown bases or ends that are cut off. Of several the one that shares most, at the lowest
/// place. A member that is not alike is chosen only while there is a stretch of the sequence,
/// kUncoveredWords words long, of which no chosen one has any: the pair is computed whole.
struct NearestGenomes {
  std::vector<std::size_t> which;  ///< places among the sequences, increasing
  NearestMembers nearest;          ///< of each of these
};
NearestGenomes nearest_genomes(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members);

}  // namespace accord
