// SPDX-License-Identifier: Apache-2.0
#include <cctype>

#include "format_texts.hpp"

namespace accord {
namespace {

/// A row with match columns in upper case and `-`, the others in lower case and `insert_gap`
/// (0: left out).
std::string marked_row(const std::string& row, const std::vector<bool>& is_match, char insert_gap) {
  std::string marked;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto letter = static_cast<unsigned char>(row[c]);
    if (is_match[c]) {
      marked += static_cast<char>(std::toupper(letter));
    } else if (row[c] != '-') {
      marked += static_cast<char>(std::tolower(letter));
    } else if (insert_gap != 0) {
      marked += insert_gap;
    }
  }
  return marked;
}

std::string format_marked(const AlignmentText& alignment, const std::vector<bool>& is_match,
                          char insert_gap, std::size_t wrap) {
  std::string text;
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    text += '>' + alignment.headers[r] + '\n';
    append_wrapped(text, marked_row(alignment.rows[r], is_match, insert_gap), wrap);
  }
  return text;
}

}  // namespace

std::string format_a2m(const AlignmentText& alignment, std::size_t wrap) {
  if (!alignment.match_columns.empty()) {
    return format_marked(alignment, alignment.match_columns, '.', wrap);
  }
  std::vector<bool> is_match(alignment.columns);
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    std::size_t residues = 0;
    for (const std::string& row : alignment.rows) residues += row[c] != '-';
    is_match[c] = 2 * residues >= alignment.rows.size();
  }
  return format_marked(alignment, is_match, '.', wrap);
}

std::string format_a3m(const AlignmentText& alignment, std::size_t wrap) {
  if (!alignment.match_columns.empty()) {
    return format_marked(alignment, alignment.match_columns, 0, wrap);
  }
  std::vector<bool> is_match(alignment.columns);
  for (std::size_t c = 0; c < alignment.columns && !alignment.rows.empty(); ++c) {
    is_match[c] = alignment.rows[0][c] != '-';
  }
  return format_marked(alignment, is_match, 0, wrap);
}

}  // namespace accord
