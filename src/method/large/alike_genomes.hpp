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

/// Samples of the words (for_each_word) of nucleotide sequences. A hash of its letters decides
/// whether a word is in the sample: one word in eight is, in all sequences the same.
///
/// Cost    8 bytes for each 8 residues; uses thread_count() threads.
/// Reference  samples by hash: Broder 1997, Compression and Complexity of Sequences, 21.
class WordSamples {
 public:
  /// Sample k is of sequence sequences[k] of the set.
  WordSamples(const SequenceSet& set, std::span<const std::uint32_t> sequences);

  std::size_t size() const noexcept { return words_.size(); }
  /// The number of words in sample k.
  std::size_t words(std::size_t k) const { return words_[k].size(); }

  /// The largest number of consecutive words of sample k, in sequence order, that are not marked in
  /// `in`. `in` has a flag for each word, indexed as in shared_with(). About one in eight bases
  /// begins a sampled word.
  std::size_t longest_without(std::size_t k, const std::vector<bool>& in) const;

  /// The indices of the words in sample a that are also in sample b of `other`, increasing. `other`
  /// may be this object.
  std::vector<std::uint32_t> shared_with(std::size_t a, const WordSamples& other,
                                         std::size_t b) const;

  /// The number of shared words, as a share of the smaller of the two samples; 0 if one is empty.
  /// Unknown bases and missing ends hardly change it.
  double similarity_to(std::size_t a, const WordSamples& other, std::size_t b) const;

  /// The most central sample: the sum, over its words, of the number of samples with the word is
  /// largest. Ties go to the first.
  std::size_t most_central() const;

 private:
  std::vector<std::vector<std::uint32_t>> words_;  // hashes, increasing
  std::vector<std::vector<std::uint32_t>> order_;  // indices into words_[k], in sequence order
};

/// Two long nucleotide sequences (long_sequences) are alike if their similarity
/// (WordSamples::similarity_to) is at least this. A tenth of the words of 20 bases remains if one
/// base in nine differs.
constexpr double kAlike = 0.1;

/// An uncovered stretch, in sampled words: about 1,000 bases. If one base in nine differs, one in a
/// hundred sequences of 30 kb has such a stretch by chance.
constexpr std::size_t kUncoveredWords = 128;

/// The number of members of a genome backbone, and of members, or rows of an alignment, that a
/// genome is placed with.
constexpr std::size_t kGenomeBackbone = 16, kGenomesNearest = 4;

/// Selects the backbone of a family of genomes; returns nothing for other families. A family is of
/// genomes if it has more different sequences than the backbone, all sequences are long nucleotide
/// sequences, and each one outside the backbone is alike to a member of it. The backbone is the
/// most central sequence and then, one after the other, the sequence least similar to the chosen
/// ones, so that a sequence unlike all others becomes a member. It has settings.backbone members,
/// or kGenomeBackbone if that is 0.
///
/// Returns  nothing also in a local mode, with a guide tree from a file, and with
///          LargeFamilies::never.
/// Shape   increasing.
/// Cost    that of WordSamples, and of comparing each sequence with the backbone.
std::optional<std::vector<std::uint32_t>> genome_backbone(const SequenceSet& set,
                                                          const AlignSettings& settings);

/// The number of sequences of a family that are aligned with the whole method: the members of
/// genome_backbone(), or else backbone_size() of the lengths.
std::size_t backbone_size(const SequenceSet& set, const AlignSettings& settings);

/// The sequences that are long and alike to a member, and for each of these at most kGenomesNearest
/// members. The first is the member that shares most words with the sequence. Each further one has
/// most of the words that no chosen member has, so that one member covers the parts that another
/// lacks because of unknown bases or missing ends. Ties go to the member that shares more words,
/// then to the lower place. A member that is not alike is chosen only while a stretch of
/// kUncoveredWords words has none in a chosen member, since such a pair is computed whole.
struct NearestGenomes {
  std::vector<std::size_t> which;  ///< indices among the sequences, increasing
  NearestMembers nearest;          ///< for each of these, the chosen members
};
NearestGenomes nearest_genomes(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members);

}  // namespace accord
