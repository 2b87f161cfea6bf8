// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
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
  std::vector<std::string> of_file;      ///< what follows `#=GF `; of SQ the tag alone
  std::vector<OfSequence> of_sequences;  ///< `#=GS` but DE, which headers have
  std::vector<Columns> of_residues;      ///< `#=GR`
  std::vector<Columns> of_columns;       ///< `#=GC`, and rows such as ss_pred of A3M
  std::vector<std::string> head;         ///< lines of A3M that begin with `#`
  std::vector<std::string> others;       ///< in words, what other formats have and no writer here

  bool is_empty() const {
    return of_file.empty() && of_sequences.empty() && of_residues.empty() && of_columns.empty() &&
           head.empty() && others.empty();
  }
  /// The text of a line of columns, of a row or, if the name is empty, of all; made if it is not
  /// there yet.
  std::string& text_of(std::string_view name, std::string_view tag);
  /// "3 #=GF, 1 #=GC", for messages.
  std::string counted() const;
  /// Leaves out all columns but those that are `kept`. A column that was paired with one that goes
  /// becomes unpaired, `.`, in lines of structure: brackets, and the letters of pseudoknots.
  void keep_columns(const std::vector<bool>& kept);
  /// Gives each column the place that `place` says, of `columns`; in the others stands `.`.
  void move_columns(const std::vector<std::uint32_t>& place, std::size_t columns);
  /// The line of `#=GC` with a tag; null if there is none.
  const Columns* columns_tagged(std::string_view tag) const;
};

/// Tag of the line that marks the match columns of Stockholm.
inline constexpr std::string_view kReferenceTag = "RF";

/// Tag of the line of the file that states the number of rows; who writes the line counts them.
inline constexpr std::string_view kRowCountTag = "SQ";

/// The match columns that a line of that tag marks: those without a gap.
std::vector<bool> reference_columns(std::string_view line);

/// Adds the markup of an alignment that was merged with that of `markup`, in the same columns.
/// What cannot stand beside it is left out: tags of a file that are there once, and lines of
/// columns that say something else of a column, or pair it otherwise.
/// Returns  how many lines are left out.
std::size_t add_markup(StockholmMarkup& markup, const StockholmMarkup& other);

/// The markup of a text that parse_records reads as SELEX, in the words of Stockholm: RF, CS, SS
/// and SA, and lines of the file; `others` counts the rest.
StockholmMarkup parse_selex_markup(std::string_view text, const std::string& label);

/// The markup of a text that parse_records reads as Stockholm.
/// Throws  Error{bad_input} with the line if markup has not as many characters as its row.
StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label);

}  // namespace accord
