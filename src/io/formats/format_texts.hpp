// SPDX-License-Identifier: Apache-2.0
// The reader and the writer of each format, one file per format; see formats.hpp.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/files/text_sink.hpp"
#include "io/files/utf8.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/formats/formats.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

// Each parse_ function that returns records is parse_records() for its format. `label` names the
// text in messages. `left_out` counts the characters that are not allowed; if it is null, they are
// errors. `is_strict`: names have ten columns (phylip_strict).
// Throws Error{bad_input} with the label and, if possible, the line.
std::vector<SequenceRecord> parse_clustal(std::string_view text, const std::string& label,
                                          OddCharacters* left_out);
/// The number of lines of a CLUSTAL text that hold structures or masks of CLUSTAL X, not rows.
std::size_t clustal_markup(std::string_view text);
std::vector<SequenceRecord> parse_stockholm(std::string_view text, const std::string& label,
                                            OddCharacters* left_out);
std::vector<SequenceRecord> parse_phylip(std::string_view text, const std::string& label,
                                         OddCharacters* left_out, bool is_strict);
std::vector<SequenceRecord> parse_msf(std::string_view text, const std::string& label,
                                      OddCharacters* left_out);
/// Whether the header of an MSF text gives different weights to its rows.
bool has_msf_weights(std::string_view text);
std::vector<SequenceRecord> parse_nexus(std::string_view text, const std::string& label,
                                        OddCharacters* left_out);
/// Reads A2M and A3M. With `keeps_columns` (A2M), rows of one length keep their columns; else
/// inserted letters get columns of their own (see parse_records).
std::vector<SequenceRecord> parse_marked(std::string_view text, const std::string& label,
                                         OddCharacters* left_out, bool keeps_columns);
/// The notes of an A2M or A3M text whose rows are `rows`; see parse_notes.
AlignmentNotes marked_notes(std::string_view text, const std::string& label,
                            const std::vector<SequenceRecord>& rows);
/// The names of the blocks of a NEXUS text that parse_nexus() skips, with commas between them.
std::string other_nexus_blocks(std::string_view text, const std::string& label);
std::vector<SequenceRecord> parse_alignment_json(std::string_view text, const std::string& label,
                                                 OddCharacters* left_out);
std::vector<SequenceRecord> parse_pir(std::string_view text, const std::string& label,
                                      OddCharacters* left_out);
std::vector<SequenceRecord> parse_selex(std::string_view text, const std::string& label,
                                        OddCharacters* left_out);
std::vector<SequenceRecord> parse_fastq(std::string_view text, const std::string& label,
                                        OddCharacters* left_out);
std::vector<SequenceRecord> parse_genbank(std::string_view text, const std::string& label,
                                          OddCharacters* left_out);
std::vector<SequenceRecord> parse_embl(std::string_view text, const std::string& label,
                                       OddCharacters* left_out);

/// The type of residues that a text states; none if it states none. `is_embl`: the text is EMBL,
/// else GenBank.
std::optional<ResidueType> nexus_type(std::string_view text, const std::string& label);
std::optional<ResidueType> msf_type(std::string_view text);
std::optional<ResidueType> pir_type(std::string_view text);
std::optional<ResidueType> flat_file_type(std::string_view text, bool is_embl);

/// True for the name of a row of HH-suite that annotates the match columns (ss_pred, ...).
bool is_column_row(std::string_view name);

// Each looks_like_ function returns whether a text may be in the format.

/// True for ">P1;...", and for the other sequence types of PIR.
bool looks_like_pir(std::string_view first_line);
/// True for a line in front of the first record of PIR that MODELLER takes for a comment.
bool is_pir_comment(std::string_view line);
bool looks_like_fastq(std::string_view first_line);
bool looks_like_genbank(std::string_view first_line);
bool looks_like_embl(std::string_view first_line);
/// True if the first line has nothing but two numbers.
bool looks_like_phylip(std::string_view first_line);
bool looks_like_clustal(std::string_view first_line);
/// True if the text has a first line that begins with a letter, then a blank line, then only blocks
/// in the form of CLUSTAL, all with the same rows.
bool has_clustal_blocks(std::string_view text);
/// True for the first line of A3M from HH-suite (`#A3M#`) or ColabFold (`#`, the lengths of the
/// chains, a tab, and the number of copies of each).
bool looks_like_a3m(std::string_view first_line);
/// True if a line before any "//" has the word "MSF:".
bool looks_like_msf(std::string_view text);

// Each write_ function writes an alignment, without warnings. `wrap` is the number of columns of a
// line (clustal and stockholm: of a block); 0: all columns.
void write_fasta(const AlignmentText& alignment, std::size_t wrap, TextSink& out);
void write_clustal(const AlignmentText& alignment, std::size_t wrap, TextSink& out);
void write_stockholm(const AlignmentText& alignment, std::size_t wrap, TextSink& out);
void write_phylip(const AlignmentText& alignment, bool is_strict, TextSink& out);
void write_msf(const AlignmentText& alignment, TextSink& out);
void write_nexus(const AlignmentText& alignment, TextSink& out);
void write_a2m(const AlignmentText& alignment, std::size_t wrap, TextSink& out);
void write_a3m(const AlignmentText& alignment, std::size_t wrap, TextSink& out);
void write_alignment_json(const AlignmentText& alignment, TextSink& out);

// Each warn_of_ function warns of the changes that the writer of a format makes to an alignment.
void warn_of_stockholm(const AlignmentText& alignment);
void warn_of_strict_names(const AlignmentText& alignment);
void warn_of_a2m(const AlignmentText& alignment);
void warn_of_a3m(const AlignmentText& alignment);
void warn_of_json(const AlignmentText& alignment);

/// `text`, followed by characters `with` up to `width` characters (see display_width). A longer
/// text stays whole.
inline std::string padded(std::string text, std::size_t width, char with = ' ') {
  text.append(width - std::min(width, display_width(text)), with);
  return text;
}

/// The number of characters of the longest name.
inline std::size_t longest_name(const AlignmentText& alignment) {
  std::size_t longest = 0;
  for (const std::string& name : alignment.names) longest = std::max(longest, display_width(name));
  return longest;
}

/// Writes `row` in lines of `wrap` characters, or as one line if `wrap` is 0. An empty row has no
/// line.
inline void write_wrapped(TextSink& out, std::string_view row, std::size_t wrap) {
  const std::size_t step = wrap == 0 ? std::max<std::size_t>(row.size(), 1) : wrap;
  for (std::size_t c = 0; c < row.size(); c += step) out << row.substr(c, step) << '\n';
}

}  // namespace accord
