// SPDX-License-Identifier: Apache-2.0
#include "tools/scoring.hpp"

#include <string_view>
#include <unordered_map>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

using RowIndex = std::unordered_map<std::string_view, std::size_t>;

/// Whether two letters may stand for the same residue.
bool agree(ResidueType type, char a, char b) {
  const char first = compared_letter(type, a), second = compared_letter(type, b);
  return first == second || first == kUnknownLetter || second == kUnknownLetter;
}

/// The guessed type of the sequences of an alignment.
ResidueType type_of(const AlignedRows& alignment) {
  std::vector<std::string> sequences = alignment.rows;
  for (std::string& row : sequences) std::erase(row, kGap);
  return guess_residue_type({sequences.begin(), sequences.end()}).type;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Error complaint(const AlignedRows& alignment, const std::string& text) {
  const std::string source = alignment.source.empty() ? "alignment" : alignment.source;
  return Error(ErrorKind::bad_input, source + ": " + text,
               "alignments of the same sequences can be compared; 'accord help score'");
}

/// The row number of each name. Throws if the alignment breaks the invariant of AlignedRows.
RowIndex index_rows(const AlignedRows& alignment) {
  const std::vector<std::string>& rows = alignment.rows;
  if (alignment.names.size() != rows.size()) {
    throw complaint(alignment, "the numbers of names and of rows differ");
  }
  RowIndex index;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() != rows[0].size()) {
      throw complaint(alignment, "row " + quote(alignment.names[r]) + " has " +
                                     counted(rows[r].size(), "column") + ", row " +
                                     quote(alignment.names[0]) + " has " +
                                     std::to_string(rows[0].size()));
    }
    if (!index.emplace(alignment.names[r], r).second) {
      throw complaint(alignment, "two rows are named " + quote(alignment.names[r]));
    }
  }
  if (!alignment.core_columns.empty() &&
      (rows.empty() || alignment.core_columns.size() != rows[0].size())) {
    throw complaint(alignment, "the core marks do not fit the columns");
  }
  return index;
}

/// For each residue of reference row r, its column in the test alignment.
std::vector<std::uint32_t> test_columns(const AlignedRows& test, const RowIndex& test_rows,
                                        const AlignedRows& reference, std::size_t r,
                                        ResidueType type) {
  const std::string& name = reference.names[r];
  const auto found = test_rows.find(name);
  if (found == test_rows.end()) {
    throw complaint(test, "there is no row \"" + name + "\", which the reference has");
  }
  const std::string& row = test.rows[found->second];
  std::vector<std::uint32_t> columns;
  std::size_t c = 0;
  bool same = true;
  for (char residue : reference.rows[r]) {
    if (residue == kGap) continue;
    while (c < row.size() && row[c] == kGap) ++c;
    same = same && c < row.size() && agree(type, row[c], residue);
    if (!same) break;
    columns.push_back(static_cast<std::uint32_t>(c++));
  }
  if (!same || row.find_first_not_of(kGap, c) != std::string::npos) {
    throw complaint(test, "the residues of row \"" + name +
                              "\" differ from those in the reference (at residue " +
                              std::to_string(columns.size() + 1) + ")");
  }
  return columns;
}

}  // namespace

double Score::sum_of_pairs() const { return share(correct_pairs, reference_pairs); }

double Score::total_column() const { return share(correct_columns, reference_columns); }

std::vector<std::vector<std::uint32_t>> columns_in(const AlignedRows& other,
                                                   const AlignedRows& shown) {
  const RowIndex rows = index_rows(other);
  index_rows(shown);
  const ResidueType type = type_of(shown);
  std::vector<std::vector<std::uint32_t>> columns;
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    columns.push_back(test_columns(other, rows, shown, r, type));
  }
  return columns;
}

std::vector<ColumnScore> score_columns(const AlignedRows& test, const AlignedRows& reference) {
  const std::vector<std::vector<std::uint32_t>> column_of = columns_in(test, reference);
  const std::size_t rows = reference.rows.size();
  std::vector<ColumnScore> scored;
  const std::size_t columns = rows == 0 ? 0 : reference.rows[0].size();
  std::vector<std::size_t> next_residue(rows, 0);
  std::vector<std::uint64_t> residues_in(test.rows.empty() ? 0 : test.rows[0].size(), 0);
  std::vector<std::uint32_t> hit;  // test columns with residues of the reference column
  for (std::size_t c = 0; c < columns; ++c) {
    const bool core = reference.core_columns.empty() || reference.core_columns[c];
    ColumnScore score{.column = c};
    hit.clear();
    for (std::size_t r = 0; r < rows; ++r) {
      if (reference.rows[r][c] == kGap) continue;
      const std::uint32_t t = column_of[r][next_residue[r]++];
      if (!core) continue;
      ++score.residues;
      if (residues_in[t]++ == 0) hit.push_back(t);
    }
    for (std::uint32_t t : hit) {
      score.correct_pairs += residues_in[t] * (residues_in[t] - 1) / 2;
      residues_in[t] = 0;
    }
    if (score.residues >= 2) scored.push_back(score);
  }
  if (scored.empty()) {
    throw complaint(reference, "the reference has no scored column with two residues");
  }
  return scored;
}

Score total_score(const std::vector<ColumnScore>& columns) {
  Score score;
  for (const ColumnScore& column : columns) {
    score.correct_pairs += column.correct_pairs;
    score.reference_pairs += column.pairs();
    score.correct_columns += column.correct();
    ++score.reference_columns;
  }
  return score;
}

Score score_alignment(const AlignedRows& test, const AlignedRows& reference) {
  return total_score(score_columns(test, reference));
}

}  // namespace accord
