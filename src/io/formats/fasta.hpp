// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// The records of a FASTA text, gaps included; `label` names the text in messages.
///
/// Every letter keeps its case, and `*` stays; white space, blank lines, a byte order mark and
/// comment lines (`;`) before the first record are skipped.
/// Throws  Error{bad_input} with file and line for a character that cannot stand in a sequence
///         (unless `left_out` is given, which then counts it), for text before the first '>', and
///         for an empty file.
std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label,
                                        OddCharacters* left_out = nullptr);

/// The part of a header before its first space or tab.
std::string_view header_name(std::string_view header);

}  // namespace accord
