// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
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

/// The records of a text in a format, gaps (`-` and `.`, in MSF `~` too) as they stand, without
/// warnings; `label` names the text in messages. Rows of an alignment may differ in length.
/// Characters that cannot stand in a sequence are counted in `left_out`, if it is given, and left
/// out, in the formats of alignments replaced by gaps.
///
/// nexus  the matrix of the first data or characters block; a missing character is X or N.
/// a3m    a row has a letter in upper case or a gap for each match column; inserted letters, in
///        lower case, get columns of their own, at the left of as many as the longest insert has.
///        Rows of secondary structure (ss_pred, ...) are left out. A2M the same, but rows of one
///        length stay as they are.
/// pir    >P1;NAME, a line with the description, the letters up to `*`.
/// selex  blanks between the first and the last column of a block are gaps, and so is `_`.
/// Throws  Error{bad_input} with the label, and the line where there is one.
std::vector<SequenceRecord> parse_records(std::string_view text, AlignmentFormat format,
                                          const std::string& label,
                                          OddCharacters* left_out = nullptr);

/// The alignment as text.
///
/// fasta          whole headers.
/// clustal        names without white space; below each block a line with `*` for the columns in
///                which all rows have the same letter (in any case). Biopython reads it.
/// stockholm      `#=GS ID DE` lines for the rest of the headers; `#=GR ID PP` and `#=GC PP_cons`
///                if there is confidence.
/// phylip         one line per row: name, blanks, letters.
/// phylip_strict  the same with names cut to 10 characters, and numbered where that makes two
///                alike (names that fit keep theirs); a warning says how many, format_name_map all.
/// msf            GCG's, with checksums, in blocks of 50 columns.
/// nexus          a data block; names are quoted where they need it.
/// a2m            match columns, those in which at least half the rows have a residue, in upper
///                case and with `-`; the other columns in lower case and with `.`.
/// a3m            match columns are those in which the first row has a residue; the gaps of the
///                other columns are left out. The first row is that of the query, as HH-suite has
///                it.
/// json           an object with the rows, the type, and the confidence.
/// A line has `wrap` columns in fasta, a2m and a3m, a block in clustal and stockholm; 0 is all of
/// them; by default 60, in stockholm all.
std::string format_alignment(const AlignmentText& alignment, AlignmentFormat format,
                             std::optional<std::size_t> wrap = std::nullopt);

/// The names of phylip_strict with the headers that they stand for, a line each, tab between them,
/// in the order of the rows, below a header line.
std::string format_name_map(const AlignmentText& alignment);

}  // namespace accord
