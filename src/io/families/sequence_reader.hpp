// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/formats.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// How sequences are read.
struct ReadOptions {
  std::optional<AlignmentFormat> format = {};  ///< recognised by the content if not set
  bool lenient = false;        ///< leave out characters that are not allowed in a sequence
  bool refuse_gaps = false;    ///< gaps are an error; else they are removed
  bool removes_gaps = false;   ///< the user asks for that: see read_rows_or_sequences
  bool is_type_given = false;  ///< the type in the file does not matter
  bool takes_coding = false;   ///< read coding sequences of genbank and embl: see coding_records
  bool is_aligned = false;     ///< an alignment: `lenient` turns wrong characters into gaps
  std::string replicate = {};  ///< the wanted one of several alignments; empty: the only one
  std::vector<std::string> chains = {};  ///< the wanted chains of a structure; empty: all
  bool keeps_atoms = false;              ///< records of structures have all atoms
};

/// Reads the records of a text in order, gaps included; `label` names the text in messages. Warns
/// of characters that were left out, and of letters of another type than the text states.
/// Throws  Error{bad_input} as parse_records, and if options.chains is set and the text is no
///         structure; as text_of_alignment; as parse_chains; as coding_records with takes_coding.
std::vector<SequenceRecord> records_of(std::string_view text, const std::string& label,
                                       const ReadOptions& options = {});

/// Warns of the characters in `odd`, which a reader left out or read as gaps, if there are any.
void warn_of_odd_characters(const OddCharacters& odd, const std::string& label);

/// The format in which records_of() reads a text.
/// Throws  as text_of_alignment.
AlignmentFormat format_of_text(std::string_view text, const std::string& label,
                               const ReadOptions& options);

/// Parses the match columns, the markup and the confidence of an alignment in a text, as
/// parse_notes(). `rows` are the rows that records_of() has read from the text.
AlignmentNotes notes_of(std::string_view text, const std::string& label, const ReadOptions& options,
                        const std::vector<SequenceRecord>& rows);

/// Warns of the notes that are lost when a text with these rows is aligned anew.
void warn_of_dropped_notes(std::string_view text, const std::string& label,
                           const ReadOptions& options, const std::vector<SequenceRecord>& rows);

/// Removes the gaps (`-` and `.`) of the records, and warns if there are any.
/// Throws  Error{bad_input} if there are gaps and the options refuse them.
void remove_gaps(std::vector<SequenceRecord>& records, const std::string& label,
                 const ReadOptions& options = {});

/// Warns of sequences without residues or names, and of names that occur twice, one line for each
/// kind.
void warn_of_odd_records(const std::vector<SequenceRecord>& records, const std::string& label);

/// Reads the sequences of a text: calls records_of, remove_gaps and warn_of_odd_records, and
/// warn_of_dropped_notes if `is_for_alignment`.
/// Throws  as records_of and remove_gaps.
std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         const ReadOptions& options = {},
                                         bool is_for_alignment = false);

}  // namespace accord
