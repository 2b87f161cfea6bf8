// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "io/files/text_sink.hpp"

namespace accord {

// The text of the files of a family in shards. It is FASTA for any reader; all other data are in
// comments. The first line is `#accord` and a JSON object. A record is a header, the letters in one
// line, and a line of `;` with a note. The last line is `;sha256` and the checksum of all lines
// before it.

/// The hint of an error in such a file.
inline constexpr const char* kAgain = "make it again";

/// Writes the text of a file of a family in shards.
class ShardTextWriter {
 public:
  /// Writes the first line. `header`: a JSON object in one line; ShardText checks its "kind", which
  /// is "core" or "part", and its "accord", the version of the program. `out` must outlive this
  /// object.
  ShardTextWriter(TextSink& out, std::string_view header);
  /// Adds a record with its note. The header, the letters and the note have no line end, and the
  /// note has no "name=", which the text uses for the length of a name.
  void add(const SequenceRecord& record, std::string_view note);
  /// Ends the text with its checksum. Call it once, after the last record; the caller flushes the
  /// sink.
  void finish();

 private:
  void put(std::string_view part);

  TextSink& out_;
  Sha256 hash_;
};

/// Reads the text of a file of a family in shards.
class ShardText {
 public:
  /// Reads a file and checks it; `kind` is "core" or "part".
  /// Throws  as read_text; Error{bad_input} if it is not such a file, is of another kind or by
  ///         another version of the program, or is cut off or damaged.
  ShardText(const std::string& path, std::string_view kind);

  /// The JSON object of the first line; a view into this object.
  std::string_view header() const { return header_; }
  /// The checksum in the last line, of all lines before it.
  const std::string& checksum() const { return checksum_; }
  /// The size and the checksum of the stored, possibly packed, file.
  const FileDigest& file() const { return file_; }

  /// Reads the next record. Returns false if there is none. `note` may be empty; it is a view into
  /// this object.
  /// Throws  Error{bad_input} for a record that is not in three lines, as the writer makes them.
  bool next(SequenceRecord& record, std::string_view& note);

  /// Makes, but does not throw, an Error{bad_input} about this file. Its message is the name of the
  /// file and `problem`.
  Error error(const std::string& problem, const std::string& hint = {}) const;

 private:
  std::string label_;
  FileDigest file_;
  std::string text_;
  std::string_view header_, rest_;  // views into text_
  std::string checksum_;
};

/// Formats the columns of residues as runs, such as "12M3D140M2I": `M` is a residue in a column,
/// `I` an inserted residue, `D` a column without a residue. `column`: for each residue of a
/// sequence, its column, from 0 and increasing, or kInserted. `columns`: the number of columns.
/// Reference  the CIGAR of the SAM format, Li et al. 2009, Bioinformatics 25:2078.
std::string format_columns(std::span<const std::uint32_t> column, std::uint32_t columns);

/// Parses the text of format_columns() for a sequence of `residues` residues. Returns for each
/// residue its column, or kInserted.
/// Throws  Error{bad_input} if it is malformed, or has other numbers of residues or columns; `text`
///         names the file.
std::vector<std::uint32_t> parse_columns(std::string_view runs, std::size_t residues,
                                         std::uint32_t columns, const ShardText& text);

/// Formats the placement of a sequence: its columns, its accuracy, and its nearest member with the
/// distance. If they are known, it adds the pairs and units of each residue (see PlacedResidue), as
/// "12:4711,12:65536". parse_placement() gives back exactly the same numbers.
std::string format_placement(const PlacedSequence& placed, std::uint32_t columns);

/// Parses the text of format_placement() for a sequence of `residues` residues, and a core of
/// `columns` columns and `members` members.
/// Throws  Error{bad_input} if the text is malformed, or does not fit these numbers; `text` names
///         the file.
PlacedSequence parse_placement(std::string_view note, std::size_t residues, std::uint32_t columns,
                               std::size_t members, const ShardText& text);

/// The checksum of the sequences of a family, headers and letters, in input order.
class FamilyDigest {
 public:
  /// Adds a sequence. Call it for each sequence, in input order.
  void add(const SequenceRecord& record);
  /// The checksum as 64 hexadecimal digits. Call it once, at the end.
  std::string digits() { return hash_.digits(); }

 private:
  Sha256 hash_;
};

}  // namespace accord
