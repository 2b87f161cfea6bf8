// SPDX-License-Identifier: Apache-2.0
#include "accord/io/msa_writer.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/io/plain_name.hpp"

namespace accord {
namespace {

constexpr std::size_t kLineColumns = 60;

/// The row of sequence x with gaps.
std::string gapped_row(const SequenceSet& set, const Msa& msa, std::size_t x) {
  const std::string& letters = set.letters(x);
  const std::vector<std::uint32_t>& column_of = msa.column_of[x];
  if (column_of.size() != letters.size() ||
      (!column_of.empty() && column_of.back() >= msa.columns)) {
    throw Error(ErrorKind::internal, "a row of the alignment does not fit its sequence");
  }
  std::string row(msa.columns, '-');
  for (std::size_t i = 0; i < letters.size(); ++i) row[column_of[i]] = letters[i];
  return row;
}

std::string format_fasta(const SequenceSet& set, const Msa& msa) {
  std::string text;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    const std::string row = gapped_row(set, msa, x);
    text += '>' + set.header(x) + '\n';
    for (std::size_t c = 0; c < row.size(); c += kLineColumns) {
      text.append(row, c, kLineColumns);
      text += '\n';
    }
  }
  return text;
}

/// One character a column: `*` if all rows have the same letter there, else a blank.
std::string conservation(const std::vector<std::string>& rows, std::size_t columns) {
  const auto upper = [](char c) { return std::toupper(static_cast<unsigned char>(c)); };
  std::string marks(columns, '*');
  for (const std::string& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (row[c] == '-' || upper(row[c]) != upper(rows[0][c])) marks[c] = ' ';
    }
  }
  return marks;
}

std::string format_clustal(const SequenceSet& set, const Msa& msa) {
  constexpr std::size_t kNarrowest = 12, kSpace = 4;
  std::vector<std::string> names, rows;
  std::size_t name_width = kNarrowest;
  for (std::size_t k = 0; k < set.size(); ++k) {
    names.push_back(plain_name(set, k));
    rows.push_back(gapped_row(set, msa, set.from_input(k)));
    name_width = std::max(name_width, names.back().size());
  }
  name_width += kSpace;
  const std::string marks = conservation(rows, rows.empty() ? 0 : msa.columns);

  std::string text = "CLUSTAL accord " ACCORD_VERSION " multiple sequence alignment\n\n";
  for (std::size_t c = 0; c < marks.size(); c += kLineColumns) {
    text += '\n';
    for (std::size_t k = 0; k < rows.size(); ++k) {
      text += names[k] + std::string(name_width - names[k].size(), ' ');
      text.append(rows[k], c, kLineColumns);
      text += '\n';
    }
    text.append(name_width, ' ');
    text.append(marks, c, kLineColumns);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string format_alignment(const SequenceSet& set, const Msa& msa, AlignmentFormat format) {
  if (msa.column_of.size() != set.size()) {
    throw Error(ErrorKind::internal, "the alignment does not have the rows of the family");
  }
  return format == AlignmentFormat::clustal ? format_clustal(set, msa) : format_fasta(set, msa);
}

}  // namespace accord
