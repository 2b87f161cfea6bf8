// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/alphabet.hpp"
#include "core/base_pair.hpp"
#include "core/point.hpp"

namespace accord {

struct ChainAtoms;

/// One sequence as it was read.
struct SequenceRecord {
  std::string header;   ///< the text after '>', without the line end
  std::string letters;  ///< residues without gaps, case as in the file
  /// Length of the name at the start of the header, in bytes; such a name may contain blanks. If
  /// not set, the name is the first word.
  std::optional<std::size_t> name_bytes = {};
  /// The track: one more letter for each residue (see TrackTable); empty if nothing is known.
  std::string track = {};
  /// The CA of each residue, of a sequence of a structure; else empty.
  Trace trace = {};
  /// The base pairs that may form, sorted by the first, then the second base; empty if they are not
  /// known.
  std::vector<BasePair> base_pairs = {};
  /// Of a predicted model: the number of residues whose place is unsure, so that track and trace
  /// lack them.
  std::optional<std::uint32_t> unsure = {};
  /// All atoms, of a sequence of a structure, if the reader was asked for them; else null.
  std::shared_ptr<const ChainAtoms> atoms = {};

  /// The name; empty if the header has no word.
  std::string_view name() const;
};

/// Residue codes (see encode_letter) of sequences, one sequence after the other. Kernels get these
/// codes and nothing else of a family, or of several families in one batch.
class CodedSequences {
 public:
  std::size_t size() const noexcept { return first_.size() - 1; }

  /// Length of sequence x, in residues.
  std::uint32_t length(std::size_t x) const {
    return static_cast<std::uint32_t>(first_[x + 1] - first_[x]);
  }
  /// Lengths of all sequences.
  std::vector<std::uint32_t> lengths() const;

  /// Codes of sequence x.
  std::span<const std::uint8_t> codes(std::size_t x) const {
    return std::span(codes_).subspan(first_[x], length(x));
  }
  /// Codes of all sequences, and the offset of each sequence in them (size() + 1 offsets).
  std::span<const std::uint8_t> all_codes() const noexcept { return codes_; }
  std::span<const std::size_t> first_code() const noexcept { return first_; }

  /// Appends one sequence, or all sequences of `others` in their order.
  void append(std::span<const std::uint8_t> codes);
  void append(const CodedSequences& others);

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::size_t> first_{0};
};

/// An immutable family of sequences in canonical order.
///
/// Canonical order is by length (longest first), then by the upper-cased letters, then by the
/// header, the track, the letters as they are, the base pairs and the trace. It depends on nothing
/// but the sequences, so that shuffling the input cannot change a result. It puts sequences of
/// similar length side by side, which the batch planner uses: for x < y, x is at least as long as
/// y. All indices x, y, z in accord are canonical.
class SequenceSet {
 public:
  SequenceSet() = default;
  /// Sorts the records into canonical order, and computes the residue codes of their letters, which
  /// must have no gaps. A letter that is not in the alphabet of the type gets the code of an
  /// unknown residue.
  SequenceSet(std::vector<SequenceRecord> records, ResidueType type);

  std::size_t size() const noexcept { return records_.size(); }
  ResidueType type() const noexcept { return type_; }

  /// Residue codes of all sequences.
  const CodedSequences& coded() const noexcept { return coded_; }
  /// Length of sequence x, in residues.
  std::uint32_t length(std::size_t x) const { return coded_.length(x); }
  /// Lengths of all sequences, canonical order (never increasing).
  std::vector<std::uint32_t> lengths() const { return coded_.lengths(); }

  /// Letters of sequence x as in the input.
  const std::string& letters(std::size_t x) const { return records_[x].letters; }
  /// The whole header line of sequence x.
  const std::string& header(std::size_t x) const { return records_[x].header; }
  /// The name of sequence x, see SequenceRecord::name.
  std::string_view name(std::size_t x) const { return records_[x].name(); }
  /// The track of sequence x, see SequenceRecord::track.
  const std::string& track(std::size_t x) const { return records_[x].track; }
  /// The CAs of sequence x, see SequenceRecord::trace.
  const Trace& trace(std::size_t x) const { return records_[x].trace; }
  /// Sequence x as it was read.
  const SequenceRecord& record(std::size_t x) const { return records_[x]; }

  /// Returns the sequences with the indices `members` as a family. If `members` increases, member k
  /// has index k in the new family.
  SequenceSet subset(std::span<const std::uint32_t> members) const;

  /// Canonical index of the k-th input record.
  std::size_t from_input(std::size_t k) const { return from_input_[k]; }

 private:
  ResidueType type_ = ResidueType::protein;
  std::vector<SequenceRecord> records_;
  CodedSequences coded_;
  std::vector<std::size_t> from_input_;
};

}  // namespace accord
