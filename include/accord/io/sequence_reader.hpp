// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accord/core/sequence_set.hpp"
#include "accord/io/formats.hpp"

namespace accord {

/// The records of a file (plain or gzip, "-" for standard input) in file order, gaps included; the
/// format is told by the content if it is not given.
/// Errors  Error{no_input} as read_text; Error{bad_input} as parse_records.
std::vector<SequenceRecord> read_records(const std::string& path,
                                         std::optional<AlignmentFormat> format = std::nullopt);

/// The same for a text that was read already; `label` names it in messages.
std::vector<SequenceRecord> records_of(std::string_view text, const std::string& label,
                                       std::optional<AlignmentFormat> format = std::nullopt);

/// The sequences of a file: read_records, then tidy_records.
std::vector<SequenceRecord> read_sequences(const std::string& path,
                                           std::optional<AlignmentFormat> format = std::nullopt);

/// The same for a text.
std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         std::optional<AlignmentFormat> format = std::nullopt);

/// Removes gaps (`-` and `.`). These, sequences without residues or names, and names that occur
/// twice are warned of, each with one line.
void tidy_records(std::vector<SequenceRecord>& records, const std::string& label);

}  // namespace accord
