// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "accord/core/sequence_set.hpp"

namespace accord {

/// The sequences of a FASTA file (plain or gzip, "-" for standard input), in file order.
///
/// Every letter keeps its case, and `*` stays; white space, blank lines, a byte order mark and
/// comment lines (`;`) before the first record are skipped. Gaps (`-` and `.`) are removed.
/// Removed gaps, empty sequences, empty names and names that occur twice are warned of, each with
/// one line.
/// Errors  Error{no_input} as read_text; Error{bad_input} with file and line for a character that
///         cannot stand in a sequence, for text before the first '>', and for an empty file.
std::vector<SequenceRecord> read_fasta(const std::string& path);

/// The records of a FASTA text as they stand, gaps included and without warnings; `label` names
/// the text in messages.
/// Errors  Error{bad_input} as read_fasta.
std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label);

/// The part of a header before its first space or tab.
std::string_view header_name(std::string_view header);

}  // namespace accord
