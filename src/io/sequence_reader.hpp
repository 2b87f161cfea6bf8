// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/formats.hpp"

namespace accord {

/// How sequences are read.
struct ReadOptions {
  std::optional<AlignmentFormat> format = {};  ///< recognised by the content if not set
  bool lenient = false;      ///< characters that cannot stand in a sequence are left out
  bool refuse_gaps = false;  ///< gaps are an error; else they are removed
};

/// The records of a text in its order, gaps included; `label` names it in messages. A warning says
/// which characters were left out.
/// Throws  Error{bad_input} as parse_records.
std::vector<SequenceRecord> records_of(std::string_view text, const std::string& label,
                                       const ReadOptions& options = {});

/// Removes gaps (`-` and `.`), and says so in a warning.
/// Throws  Error{bad_input} if there are gaps and the options refuse them.
void remove_gaps(std::vector<SequenceRecord>& records, const std::string& label,
                 const ReadOptions& options = {});

/// Warns of sequences without residues or names, and of names that occur twice, each with a line.
void warn_of_odd_records(const std::vector<SequenceRecord>& records, const std::string& label);

/// The sequences of a text: all of the above.
std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         const ReadOptions& options = {});

}  // namespace accord
