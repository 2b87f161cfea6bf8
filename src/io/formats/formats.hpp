// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/files/text_sink.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// File formats of sequences and alignments.
enum class AlignmentFormat {
  fasta,
  clustal,
  stockholm,
  phylip,         ///< relaxed: names of any length
  phylip_strict,  ///< names of exactly 10 characters
  msf,
  nexus,
  a2m,
  a3m,
  json,
  pir,    ///< read only
  selex,  ///< read only
  fastq,  ///< read only, as the two that follow
  genbank,
  embl,
};

/// What a format is called on the command line ("phylip-strict").
std::string_view format_name(AlignmentFormat format);

/// The format of a name; none if there is no such format.
std::optional<AlignmentFormat> format_named(std::string_view name);

/// Whether a format has a place for the confidence of an alignment.
bool shows_confidence(AlignmentFormat format);

/// The names of all formats that can be written, with commas; of those that can be read.
std::string writable_formats();
std::string readable_formats();
/// What is read, in words: the formats, and how they may be packed.
std::string readable_inputs();

/// Whether a format can be written.
bool is_writable(AlignmentFormat format);

/// The format that a file's suffix stands for (".clw", ".sto.gz"); none if it says nothing.
std::optional<AlignmentFormat> format_of_suffix(std::string_view path);

/// The suffix of a file's name, ".html", that stands for no format; empty if the name has no
/// suffix, or one that is known. A suffix begins with a letter.
std::string unknown_suffix(std::string_view path);

/// The suffixes of the formats that can be written: "fasta (.fa .fasta ...), clustal (...), ...".
std::string written_suffixes();

/// The format of a text, by its content; what begins as FASTA is A2M or A3M if the path, when one
/// is given, has the suffix of that. None if it is none that can be read here.
std::optional<AlignmentFormat> detect_format(std::string_view text, std::string_view path = {});

/// The records of a text in a format, gaps (`-` and `.`; `~` as `-`) as they stand; `label` names
/// the text in messages. Rows differ in length in fasta, pir, fastq, genbank and embl alone.
/// Characters that cannot stand in a sequence are counted in `left_out`, if it is given, and left
/// out; in the formats of alignments, or if it keeps columns, they are replaced by gaps.
///
/// clustal, msf, phylip, stockholm  the whole alignment: what ends before its header or its blocks
///        say, or without `//`, is an error.
///        In formats of blocks a row has a line in each, of as many columns as the others.
/// clustal  counts at the ends of lines must be right; lines of `!` belong to the notes.
/// msf    a warning says which rows do not have their checksum.
/// nexus  the matrix of the one data or characters block; a missing character is `?`, a set such as
///        `{AG}` or `(AG)` its letter, `?` with a warning if it has none; what `equate` names is
///        replaced. Rows without labels have those of the taxa block, whose numbers may stand for
///        them. Warnings say which of these have no row, and that `eliminate` is not obeyed.
/// phylip, nexus  `.` (in nexus the match character) is the residue of the first row.
/// a3m    a row has a letter in upper case or a gap for each match column; inserted letters, in
///        lower case, get columns of their own, at the left of as many as the longest insert has.
///        Lines of `#` and rows of secondary structure (ss_pred, ...) belong to the notes. A2M the
///        same, but rows of one length stay as they are, unless a column has letters of both cases
///        and the rows have as many match columns.
/// fasta  lines that begin with `;` are comments.
/// fastq  qualities are not kept; there must be as many as letters.
/// genbank, embl  the whole sequence, by its accession and version; features are not kept.
/// pir    >P1;NAME, a line with the description, the letters up to `*`.
/// selex  blanks between the first and the last column of a block are gaps, and so is `_`.
/// Throws  Error{bad_input} with the label, and the line where there is one.
std::vector<SequenceRecord> parse_records(std::string_view text, AlignmentFormat format,
                                          const std::string& label,
                                          OddCharacters* left_out = nullptr);

/// The type that a text of a format names: the datatype of nexus, the type of msf, json and pir,
/// and the units of genbank and embl. None if it names none.
std::optional<ResidueType> declared_type(std::string_view text, AlignmentFormat format,
                                         const std::string& label);

/// What a file says of an alignment beside its rows.
struct AlignmentNotes {
  std::vector<bool> match_columns;  ///< of a2m, a3m and stockholm (RF); empty if they are not known
  StockholmMarkup markup;
  /// The confidence in a JSON text (see AlignmentText), by row and column; empty if there is none.
  std::vector<std::string> posterior_codes = {};
  std::vector<float> column_confidence = {};
};

/// What `others` of the markup has if there is confidence; no loss in formats that show it.
inline constexpr std::string_view kConfidenceNote = "confidence";

/// What the text of `rows`, which parse_records() has read of it, says beside them.
/// Throws  Error{bad_input} as parse_stockholm_markup.
AlignmentNotes parse_notes(std::string_view text, AlignmentFormat format, const std::string& label,
                           const std::vector<SequenceRecord>& rows);

/// The markup, with the match columns in words if not all columns are such, that a format has no
/// place for, for a message; empty if it has a place for all.
std::string lost_in(AlignmentFormat format, const AlignmentNotes& notes);

/// The alignment as text.
///
/// fasta          whole headers.
/// clustal        names without white space; below each block a line with `*` for the columns in
///                which all rows have the same letter (in any case). Biopython reads it.
/// stockholm      `#=GS ID DE` lines for the rest of the headers; `#=GC RF` for match columns that
///                are known; `#=GR ID PP` and `#=GC PP_cons` if there is confidence.
/// phylip         one line per row: name, blanks, letters.
/// phylip_strict  the same with names cut to 10 characters, and numbered where that makes two
///                alike (names that fit keep theirs); a warning says how many, format_name_map all.
/// msf            GCG's, with checksums, in blocks of 50 columns.
/// nexus          a data block; names are quoted where they need it.
/// a2m            match columns in upper case and with `-`, the other columns in lower case and
///                with `.`. If they are not known, those in which at least half the rows have a
///                residue are match columns.
/// a3m            the same without the gaps of the other columns. If the match columns are not
///                known, they are those in which the first row has a residue, which is that of the
///                query, as HH-suite has it.
/// json           an object with the rows, the type, and the confidence.
/// A line has `wrap` columns in fasta, a2m and a3m, a block in clustal and stockholm; 0 is all of
/// them; by default 60, in stockholm all.
/// Warnings say what the format cannot hold, as warn_of_format().
std::string format_alignment(const AlignmentText& alignment, AlignmentFormat format,
                             std::optional<std::size_t> wrap = std::nullopt);

/// Writes the text of format_alignment(), of which a row, or the block of it that a line has, is in
/// memory; without warnings.
void write_alignment(const AlignmentText& alignment, AlignmentFormat format,
                     std::optional<std::size_t> wrap, TextSink& out);

/// Warns of what write_alignment() changes or leaves out.
void warn_of_format(const AlignmentText& alignment, AlignmentFormat format);

/// The names of phylip_strict, the headers that they stand for, and the names that formats without
/// blanks in names have; a line each, tabs between them, in the order of the rows, below a header
/// line.
std::string format_name_map(const AlignmentText& alignment);

}  // namespace accord
