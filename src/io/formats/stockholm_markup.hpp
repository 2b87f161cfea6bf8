// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accord {

/// The markup of a Stockholm alignment: everything besides names, descriptions and rows.
struct StockholmMarkup {
  /// A line of markup with one character per column: `#=GC TAG`, or `#=GR NAME TAG`.
  struct Columns {
    std::string name;  ///< name of the row; empty for `#=GC`
    std::string tag;
    std::string text;
  };
  /// A line of markup about a sequence, `#=GS NAME TAG text`.
  struct OfSequence {
    std::string name;
    std::string text;  ///< "TAG text"
  };
  std::vector<std::string> of_file;      ///< text behind `#=GF `; for SQ the tag alone
  std::vector<OfSequence> of_sequences;  ///< `#=GS` except DE, which is in the headers
  std::vector<Columns> of_residues;      ///< `#=GR`
  std::vector<Columns> of_columns;       ///< `#=GC`, and rows such as ss_pred of A3M
  std::vector<std::string> head;         ///< lines of A3M that begin with `#`
  std::vector<std::string> others;       ///< notes of other formats, which no writer writes

  bool is_empty() const {
    return of_file.empty() && of_sequences.empty() && of_residues.empty() && of_columns.empty() &&
           head.empty() && others.empty();
  }
  /// Counts the lines for messages: "3 #=GF, 1 #=GC".
  std::string counted() const;
  /// Removes the columns c (from 0) with !kept[c]. In lines of structure (brackets, and letters of
  /// pseudoknots), the partner of a removed column becomes unpaired, `.`.
  void keep_columns(const std::vector<bool>& kept);
  /// Spreads the lines of `#=GR` and `#=GC` over `columns` columns: column c moves to column
  /// place[c], and the columns to which no column moves get `.`.
  void move_columns(const std::vector<std::uint32_t>& place, std::size_t columns);
  /// The line of `#=GC` with a tag, valid until a line is added or removed; null if there is none.
  const Columns* columns_tagged(std::string_view tag) const;
};

/// Finds lines of markup with one character per column while a text is read.
class MarkupLines {
 public:
  /// `markup` must outlive this object, which alone adds such lines to it.
  explicit MarkupLines(StockholmMarkup& markup) : markup_(markup) {}

  /// The text of the line `#=GR NAME TAG`, or `#=GC TAG` if `name` is empty, to read or change. The
  /// function adds the line, with an empty text, if it does not exist. The reference is valid until
  /// the next call. Neither word has white space.
  std::string& text_of(std::string_view name, std::string_view tag);

 private:
  StockholmMarkup& markup_;
  std::unordered_map<std::string, std::size_t> places_;  // [name and tag]: the place of the line
};

/// Tag of the line that marks the match columns in Stockholm.
inline constexpr std::string_view kReferenceTag = "RF";

/// Tag of the line that states the number of rows; the writer of the line counts them.
inline constexpr std::string_view kRowCountTag = "SQ";

/// Whether each column is a match column, by the text of a line with kReferenceTag: match columns
/// are those without a gap mark (`.`, `-`, `_` or `~`).
std::vector<bool> reference_columns(std::string_view line);

/// Adds to `markup` the markup `other` of an alignment that was merged with the alignment of
/// `markup`; both have the same columns. The function leaves out lines of `other` in conflict with
/// `markup`: a second line with a tag that may occur once in a file, and lines that annotate or
/// pair a column differently. It also leaves out other.head and other.others.
/// Returns  the number of lines left out.
std::size_t add_markup(StockholmMarkup& markup, const StockholmMarkup& other);

/// Parses the markup of a SELEX text, as Stockholm markup: RF, CS, SS, SA, and lines of the file.
/// StockholmMarkup::others has the number of remaining lines. `label` names the text in messages.
StockholmMarkup parse_selex_markup(std::string_view text, const std::string& label);

/// Parses the markup of a Stockholm text. `label` names the text in messages.
/// Throws  Error{bad_input} if a line of `#=GC` or `#=GR` has another length than its row, or if
///         its row does not exist.
StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label);

}  // namespace accord
