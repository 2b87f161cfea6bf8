// SPDX-License-Identifier: Apache-2.0
// Reads flat files of GenBank and EMBL, and of protein databases in these formats.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// A coding sequence (CDS) of a feature table.
struct CodingFeature {
  std::string location;  ///< "join(<1..48,143..>206)", without white space
  /// Pairs of a name without '/', and a value without double quotes.
  std::vector<std::pair<std::string, std::string>> qualifiers;
  std::size_t line;  ///< number of its first line in the text, from 1

  /// The value of a qualifier; empty if there is none.
  std::string qualifier(std::string_view name) const;
};

/// A record of a flat file.
struct FlatRecord {
  std::string name;         ///< accession and version, or else the name in the first line
  std::string description;  ///< DEFINITION or DE, as one line
  std::string letters;      ///< of the sequence, case as in the text; gaps (`-`, `.`) stay
  std::vector<CodingFeature> coding;  ///< in the order of the text
};

/// Parses the records of a text of EMBL (`is_embl`) or GenBank; `label` names the text in messages.
/// Warns of records whose number of letters differs from that in their first line.
/// `left_out` may be null. If `left_out` is not null, it counts each character that is not allowed
/// in a sequence. The parser leaves the character out, or puts a gap (left_out->keeps_columns()).
/// Throws  Error{bad_input} for a text without a record, for a record without its first line,
///         letters or end, `//`, and, if `left_out` is null, for a character that is not allowed.
std::vector<FlatRecord> parse_flat_file(std::string_view text, bool is_embl,
                                        const std::string& label, OddCharacters* left_out);

}  // namespace accord
