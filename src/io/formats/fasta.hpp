// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// The records of a FASTA text, gaps included; `label` names the text in messages, in which it
/// stands behind so many lines.
///
/// Every letter keeps its case, and `*` and `?` stay; `~` is a gap. White space, blank lines, a
/// byte order mark and comment lines (`;` and `#`) before the first record are skipped, and so are
/// blanks in front of a header.
/// Throws  Error{bad_input} with file and line for a character that cannot stand in a sequence
///         (unless `left_out` is given, which then counts it, and makes it a gap if it is to keep
///         the columns), for text before the first '>', and for an empty file.
std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label,
                                        OddCharacters* left_out = nullptr,
                                        std::size_t lines_before = 0);

/// The first word of a header.
std::string_view header_name(std::string_view header);

}  // namespace accord
