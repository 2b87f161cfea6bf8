// SPDX-License-Identifier: Apache-2.0
// Flat files of GenBank and EMBL, and of the protein databases that are written alike.
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
  /// Names without '/', and values without double quotes.
  std::vector<std::pair<std::string, std::string>> qualifiers;
  std::size_t line;

  /// The value of a qualifier; empty if there is none.
  std::string qualifier(std::string_view name) const;
};

/// A record of a flat file.
struct FlatRecord {
  std::string name;         ///< accession and version, else the name in the first line
  std::string description;  ///< DEFINITION or DE, in one line
  std::string letters;
  std::vector<CodingFeature> coding;
};

/// The records of a text of GenBank or EMBL. A warning names those that have not as many letters as
/// their first line says.
/// Throws  Error{bad_input} with the line for a record without letters or without its end, `//`,
///         and for a character that cannot stand in a sequence, unless `left_out` counts it.
std::vector<FlatRecord> parse_flat_file(std::string_view text, bool is_embl,
                                        const std::string& label, OddCharacters* left_out);

}  // namespace accord
