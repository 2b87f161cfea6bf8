// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "io/family_reader.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "io/files/text_sink.hpp"

namespace accord {

// The text of the files that a family in shards is kept in: FASTA that any reader takes, with what
// else there is in comments. The first line is `#accord` and a JSON object; a record has its
// header, its letters in one line, and a line of `;` with a note; the last line is `;sha256` and
// the checksum of all lines before it.

/// Writes such a text.
class ShardTextWriter {
 public:
  /// `header`: a JSON object in one line, which begins with the kind of the file and the version of
  /// the program (see ShardText). `out` must outlive this.
  ShardTextWriter(TextSink& out, std::string_view header);
  /// Adds a record with its note, in which no line may end.
  void add(const SequenceRecord& record, std::string_view note);
  /// Ends the text.
  void finish();

 private:
  void put(std::string_view part);

  TextSink& out_;
  Sha256 hash_;
};

/// Reads such a text.
class ShardText {
 public:
  /// Reads a file of a kind, "core" or "part".
  /// Throws  as read_text; Error{bad_input} if it is no such file, was made by another version of
  ///         the program, is of another kind, is cut off or damaged.
  ShardText(const std::string& path, std::string_view kind);

  /// The JSON object of the first line.
  std::string_view header() const { return header_; }
  /// The checksum in the last line: that of all others.
  const std::string& checksum() const { return checksum_; }
  /// The file as it is stored, packed if it is.
  const FileDigest& file() const { return file_; }

  /// Reads the next record; false if there is none.
  /// Throws  Error{bad_input} for a record without letters or a note.
  bool next(SequenceRecord& record, std::string_view& note);

  /// An error about this file.
  Error error(const std::string& problem, const std::string& hint = {}) const;

 private:
  std::string label_;
  FileDigest file_;
  std::string text_;
  std::string_view header_, rest_;  // in the text
  std::string checksum_;
};

/// The columns of residues as runs: `M` is a residue in a column, `I` one that is inserted (see
/// kInserted), `D` a column without a residue: "12M3D140M2I".
/// Reference  the CIGAR of the SAM format, Li et al. 2009, Bioinformatics 25:2078.
std::string format_columns(std::span<const std::uint32_t> column, std::uint32_t columns);

/// Reads that for a sequence of so many residues.
/// Throws  Error{bad_input} if it is no such text, or not of so many residues and columns; `text`
///         says of what.
std::vector<std::uint32_t> parse_columns(std::string_view runs, std::size_t residues,
                                         std::uint32_t columns, const ShardText& text);

/// Where a sequence is placed: its columns, accuracy, nearest member and distance, and if they are
/// known, the pairs and units of each residue ("12:4711,12:65536"). The numbers are read back
/// exactly.
std::string format_placement(const PlacedSequence& placed, std::uint32_t columns);

/// Reads that for a sequence of so many residues, in a core of so many columns and members.
/// Throws  Error{bad_input}
PlacedSequence parse_placement(std::string_view note, std::size_t residues, std::uint32_t columns,
                               std::size_t members, const ShardText& text);

/// The checksum of the sequences of a family, in the order of the input: headers and letters.
class FamilyDigest {
 public:
  void add(const SequenceRecord& record);
  /// 64 hexadecimal digits; ends it.
  std::string digits() { return hash_.digits(); }

 private:
  Sha256 hash_;
};

}  // namespace accord
