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
  bool lenient = false;        ///< characters that cannot stand in a sequence are left out
  bool refuse_gaps = false;    ///< gaps are an error; else they are removed
  bool is_type_given = false;  ///< what the file says of it does not matter
  bool takes_coding = false;   ///< of genbank and embl the coding sequences: see coding_records
  bool is_aligned = false;     ///< the input is an alignment: what is lenient makes gaps
};

/// The records of a text in its order, gaps included; `label` names it in messages. Warnings say
/// which characters were left out, and if the letters are of another type than the text names.
/// Throws  Error{bad_input} as parse_records, and as coding_records if these are taken.
std::vector<SequenceRecord> records_of(std::string_view text, const std::string& label,
                                       const ReadOptions& options = {});

/// Says which characters were left out, or read as gaps, if there are any.
void warn_of_odd_characters(const OddCharacters& odd, const std::string& label);

/// The format that records_of() reads a text in.
AlignmentFormat format_of_text(std::string_view text, const std::string& label,
                               const ReadOptions& options);

/// What a text of which records_of() has read `rows` says beside them; see parse_notes.
AlignmentNotes notes_of(std::string_view text, const std::string& label, const ReadOptions& options,
                        const std::vector<SequenceRecord>& rows);

/// Says what a text that is aligned anew, with rows as records_of() gives them, loses by that.
void warn_of_dropped_notes(std::string_view text, const std::string& label,
                           const ReadOptions& options, const std::vector<SequenceRecord>& rows);

/// Removes gaps (`-` and `.`), and says so in a warning.
/// Throws  Error{bad_input} if there are gaps and the options refuse them.
void remove_gaps(std::vector<SequenceRecord>& records, const std::string& label,
                 const ReadOptions& options = {});

/// Warns of sequences without residues or names, and of names that occur twice, each with a line.
void warn_of_odd_records(const std::vector<SequenceRecord>& records, const std::string& label);

/// The sequences of a text: all of the above, but for the warning of what is dropped unless an
/// alignment is to be written.
std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         const ReadOptions& options = {},
                                         bool is_for_alignment = false);

}  // namespace accord
