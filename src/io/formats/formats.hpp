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
  fastq,  ///< read only, as are the next two
  genbank,
  embl,
  pdb,    ///< read only: a structure
  mmcif,  ///< read only: a structure
};

/// The name of a format on the command line ("phylip-strict").
std::string_view format_name(AlignmentFormat format);

/// The format with a name; none if there is no such format.
std::optional<AlignmentFormat> format_named(std::string_view name);

/// Whether a format can hold the confidence of an alignment.
bool shows_confidence(AlignmentFormat format);

/// The names of all formats that can be written, with commas between them.
std::string writable_formats();
/// The names of all formats that can be read, with commas between them.
std::string readable_formats();
/// The inputs that can be read, in words: the formats, and how they may be packed.
std::string readable_inputs();

/// Whether a format is that of a structure, whose chains are sequences with tracks.
bool is_structure(AlignmentFormat format);

/// Whether a format can be written.
bool is_writable(AlignmentFormat format);

/// The format for the suffix of a path (".clw", ".sto.gz"); none for other suffixes.
std::optional<AlignmentFormat> format_of_suffix(std::string_view path);

/// What the suffix of a file says about its content. A file of JSON may be anything.
enum class FileContent { unknown, sequences, alignment, structure };
/// The content for the suffix of a path, packed or not.
FileContent content_of_suffix(std::string_view path);

/// The name of a file without the suffix of a packed file, and without that of a format: "x" for
/// "x.fa.gz".
std::string_view without_known_suffix(std::string_view name);

/// The suffix of a file name, such as ".html", if no format has it; empty if the name has no
/// suffix, or a known one. A suffix begins with a letter.
std::string unknown_suffix(std::string_view path);

/// The suffixes of all formats that can be written: "fasta (.fa .fasta ...), clustal (...), ...".
std::string written_suffixes();

/// The format of a text, by its content; none if the format is unknown. In three cases the suffix
/// of `path` decides. A text that begins as FASTA is A2M or A3M if `path` has that suffix. A text
/// without the marks of a format is SELEX if `path` has that suffix, and a structure if `path` has
/// the suffix of a structure.
std::optional<AlignmentFormat> detect_format(std::string_view text, std::string_view path = {});

/// Parses the records of a text in a format. Gaps stay as in the text, except that `~` becomes `-`.
/// `label` names the text in messages. Rows may differ in length only in fasta, pir, fastq,
/// genbank, embl, pdb and mmcif. If `left_out` is not null, it counts the characters that are not
/// allowed in a sequence. In fasta, a2m, a3m, fastq, genbank and embl, such a character is left
/// out, or becomes a gap if left_out->keeps_columns(). In the other formats, it becomes a gap. If
/// `left_out` is null, such a character is an error.
///
/// clustal, msf, phylip, stockholm  the alignment must be complete: it is an error if it has fewer
///       columns or rows than its header or its blocks state, or has no `//`. In formats with
///       blocks, each row has a line in each block, and these lines have equal numbers of columns.
/// clustal  counts at the ends of lines must be right; lines of `!` belong to the notes.
/// msf    a warning names rows whose checksum is wrong, and numbers of columns in the header that
///        are less than there are.
/// nexus  reads the matrix of the data or characters block; a second matrix is an error. A missing
///        character is `?`. A set such as `{AG}` or `(AG)` becomes its letter; if it
///        has none, it becomes `?`, with a warning. Symbols of `equate` are replaced. Rows without
///        labels have the labels of the taxa block; numbers may stand for these. Warns of taxa
///        without a row, and that `eliminate` is ignored.
/// phylip, nexus  `.` (in nexus the match character) stands for the residue of the first row.
/// a3m    each row has an upper-case letter or a gap for each match column. Inserted letters, in
///        lower case, get columns of their own, as many as the longest insert has, and stand at
///        their left. Lines of `#` and rows of secondary structure (ss_pred, ...) belong to the
///        notes.
/// a2m    as a3m, but rows of one length keep their columns, unless a column has letters of both
///        cases and all rows have the same number of match columns.
/// fasta  lines that begin with `;` are comments. Lines of secondary structure in dot-brackets, as
///        RNAfold writes them, are skipped.
/// fastq  there must be as many qualities as letters; they are not kept.
/// genbank, embl  gives whole sequences, named by accession and version, without features.
/// pir    >P1;NAME, a line with the description, the letters up to `*`. Lines in front of the first
///        record that begin with `C;` or `R;` are comments.
/// selex  blanks between the first and the last column of a block are gaps, and so is `_`.
/// pdb, mmcif  gives all chains of proteins, with tracks: see parse_structure and
///        structure_records.
/// Throws  Error{bad_input} with the label, and, if possible, the line; Error{out_of_memory} as
///         check_reading.
std::vector<SequenceRecord> parse_records(std::string_view text, AlignmentFormat format,
                                          const std::string& label,
                                          OddCharacters* left_out = nullptr);

/// The memory in bytes, at most, that parse_records() takes for the records of a text, and for what
/// it makes of the text meanwhile. Rows of formats with blocks, and gaps of A3M, are counted when
/// they are made.
std::size_t parsing_bytes(std::string_view text, AlignmentFormat format);

/// The memory in bytes that records take.
std::size_t record_bytes(const std::vector<SequenceRecord>& records);

/// Parses the chains of a structure whose names are in `chosen`, in the order of `chosen`; all
/// chains of proteins if `chosen` is empty. `keeps_atoms`: with all atoms.
/// Throws  Error{bad_input} as parse_structure and structure_records.
std::vector<SequenceRecord> parse_chains(std::string_view text, AlignmentFormat format,
                                         const std::string& label,
                                         const std::vector<std::string>& chosen,
                                         bool keeps_atoms = false);

/// The residue type that a text states: the datatype of nexus, the type of msf, json and pir, and
/// the units of genbank and embl. None if the text states no type.
std::optional<ResidueType> declared_type(std::string_view text, AlignmentFormat format,
                                         const std::string& label);

/// The contents of a file of an alignment besides its rows.
struct AlignmentNotes {
  std::vector<bool> match_columns;  ///< of a2m, a3m and stockholm (RF); empty if unknown
  StockholmMarkup markup;
  /// The confidence in a JSON text (see AlignmentText), by row and by column; empty if there is
  /// none.
  std::vector<std::string> posterior_codes = {};
  std::vector<float> column_confidence = {};
};

/// parse_notes() adds this word to StockholmMarkup::others if a JSON text has a confidence.
/// lost_in() leaves the word out for formats that can hold a confidence.
inline constexpr std::string_view kConfidenceNote = "confidence";

/// Parses the notes in the text of `rows`, which parse_records() has read from it.
/// Throws  Error{bad_input} as parse_stockholm_markup.
AlignmentNotes parse_notes(std::string_view text, AlignmentFormat format, const std::string& label,
                           const std::vector<SequenceRecord>& rows);

/// Names the markup that a format cannot hold, for a message, including the match columns, unless
/// all columns are match columns. Empty if the format can hold everything.
std::string lost_in(AlignmentFormat format, const AlignmentNotes& notes);

/// Formats an alignment.
///
/// fasta          with whole headers.
/// clustal        names without white space; below each block, a line with `*` for each column in
///                which all rows have the same letter (in any case). Biopython can read it.
/// stockholm      `#=GS ID DE` for the rest of a header; `#=GC RF` for known match columns; `#=GR
///                ID PP` and `#=GC PP_cons` if there is confidence.
/// phylip         a line per row: name, blanks, letters.
/// phylip_strict  the same with names cut to 10 characters. Names that become equal are numbered;
///                names that fit stay. A warning counts the changed names, and format_name_map()
///                lists them.
/// msf            GCG's format with checksums, in blocks of 50 columns.
/// nexus          a data block; names in quotes if necessary.
/// a2m            match columns in upper case and with `-`, the other columns in lower case and
///                with `.`. If the match columns are unknown, they are the columns in which at
///                least half of the rows have a residue.
/// a3m            the same without the gaps of the other columns. If the match columns are unknown,
///                they are the columns in which the first row, which is the query in HH-suite, has
///                a residue.
/// json           an object with the rows, the type, and the confidence.
/// `wrap` is the number of columns of a line in fasta, a2m and a3m, and of a block in clustal and
/// stockholm; 0 is all columns. The default is 60, in stockholm all columns. Warns as
/// warn_of_format().
std::string format_alignment(const AlignmentText& alignment, AlignmentFormat format,
                             std::optional<std::size_t> wrap = std::nullopt);

/// Writes the text of format_alignment(), without warnings. Only one row, or its part in a block,
/// is in memory at a time.
void write_alignment(const AlignmentText& alignment, AlignmentFormat format,
                     std::optional<std::size_t> wrap, TextSink& out);

/// Warns of what write_alignment() changes or leaves out.
void warn_of_format(const AlignmentText& alignment, AlignmentFormat format);

/// A table with a header line and a line for each row, in order. Its columns, separated by tabs,
/// are the name of the row in phylip_strict, its header, and its name in formats without blanks in
/// names.
std::string format_name_map(const AlignmentText& alignment);

/// The suffix of the files of alignments that the program names, which format_of_suffix() knows
/// again: that of aligned FASTA differs from the suffixes of sequences.
std::string suffix_of(AlignmentFormat format);

}  // namespace accord
