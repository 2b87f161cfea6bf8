// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// Parses the records of a FASTA text, gaps included. `label` names the text in messages;
/// `lines_before` is the number of lines in front of it.
///
/// Every letter keeps its case, and `*` and `?` stay; `~` is a gap. White space, blank lines, a
/// byte order mark and comment lines (`;` and `#`) before the first record are skipped, as are
/// blanks in front of a header. Lines of structure (see structure_in) are skipped, too.
/// Throws  Error{bad_input} with file and line for a character that is not allowed in a sequence,
///         for text before the first '>', and for an empty file. If `left_out` is not null, such
///         characters are counted there instead, and become gaps if it keeps the columns.
std::vector<SequenceRecord> parse_fasta(std::string_view text, const std::string& label,
                                        OddCharacters* left_out = nullptr,
                                        std::size_t lines_before = 0);

/// The secondary structure in a line below the letters of a sequence, as RNAfold writes it:
/// dot-brackets, maybe with an energy behind a blank, as in "((..)) ( -1.20)". Empty for a line
/// that is none, or that says something else of the structure, see is_structure_note. A line of
/// dots alone has an energy, since dots are gaps, too.
std::string_view structure_in(std::string_view line);

/// The first word of a header, as a view into it.
std::string_view header_name(std::string_view header);

}  // namespace accord
