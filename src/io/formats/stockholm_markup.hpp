// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// The markup of a Stockholm alignment: all that stands there beside names, descriptions and rows.
struct StockholmMarkup {
  /// A line of markup with one character per column: `#=GC TAG`, or `#=GR NAME TAG`.
  struct Columns {
    std::string name;  ///< of the row; empty for `#=GC`
    std::string tag;
    std::string text;
  };
  struct OfSequence {
    std::string name;
    std::string text;  ///< "TAG text"
  };
  std::vector<std::string> of_file;      ///< what follows `#=GF `
  std::vector<OfSequence> of_sequences;  ///< `#=GS` but DE, which headers have
  std::vector<Columns> of_residues;      ///< `#=GR`
  std::vector<Columns> of_columns;       ///< `#=GC`

  bool is_empty() const {
    return of_file.empty() && of_sequences.empty() && of_residues.empty() && of_columns.empty();
  }
  /// "3 #=GF, 1 #=GC", for messages.
  std::string counted() const;
  /// Leaves out all columns but those that are `kept`.
  void keep_columns(const std::vector<bool>& kept);
};

/// The markup of a text that parse_records reads as Stockholm.
/// Throws  Error{bad_input} with the line if markup has not as many characters as its row.
StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label);

}  // namespace accord
