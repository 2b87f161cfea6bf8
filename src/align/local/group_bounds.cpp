// SPDX-License-Identifier: Apache-2.0
#include "align/local/group_bounds.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "align/local/importance.hpp"
#include "base/parallel.hpp"
#include "base/target_clones.hpp"

namespace accord {
namespace {

/// The number of columns of b whose letters are scored at a time.
constexpr std::size_t kBoundColumns = 512;

/// Fewer cells of the importance are not worth a parallel loop.
constexpr std::size_t kParallelCells = 20000;

/// A value for each letter code.
using ByLetter = std::array<double, ACCORD_SYMBOLS>;

/// [a][b]: score of letter b with letter a, in units.
using LetterTable = std::array<ByLetter, ACCORD_SYMBOLS>;

/// For each letter code, sums its scores with the letters of one column.
ACCORD_CLONES
void score_letters(const LetterTable& table, const GroupColumns::Letter* letters, std::size_t count,
                   double* scores) {
  for (std::size_t code = 0; code < ACCORD_SYMBOLS; ++code) scores[code] = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double weight = letters[k].weight;
    const double* const of_letter = table[letters[k].code].data();
    for (std::size_t code = 0; code < ACCORD_SYMBOLS; ++code) {
      scores[code] += weight * of_letter[code];
    }
  }
}

/// For each element, the sum of all elements behind it.
std::vector<double> sums_behind(const std::vector<double>& values) {
  std::vector<double> sums(values.size(), 0);
  for (std::size_t k = values.size(); k-- > 1;) sums[k - 1] = sums[k] + values[k];
  return sums;
}

void take_larger(const std::vector<double>& values, std::vector<double>& most) {
  for (std::size_t k = 0; k < most.size(); ++k) most[k] = std::max(most[k], values[k]);
}

}  // namespace

LetterScores::LetterScores(const GroupScores& groups)
    : scores_(ACCORD_SYMBOLS), most_(ACCORD_SYMBOLS, 0) {
  const GroupColumns& b = groups.b;
  const std::size_t width = b.columns() + 1;
  std::vector<std::uint8_t> codes;
  for (const GroupColumns::Letter& letter : groups.a.letters) {
    if (has(letter.code)) continue;
    scores_[letter.code].resize(width);
    codes.push_back(letter.code);
  }
  LetterTable table;
  for (std::size_t k = 0; k < ACCORD_SYMBOLS * ACCORD_SYMBOLS; ++k) {
    table[k % ACCORD_SYMBOLS][k / ACCORD_SYMBOLS] =
        kImportanceUnits * static_cast<double>(groups.scores[k]);
  }
  std::vector<ByLetter> most((width + kBoundColumns - 1) / kBoundColumns, ByLetter{});
  parallel_for(most.size(), [&](std::size_t block, int) {
    const std::size_t begin = block * kBoundColumns, end = std::min(width, begin + kBoundColumns);
    alignas(64) ByLetter of_column;
    for (std::size_t j = begin; j < end; ++j) {
      const std::span<const GroupColumns::Letter> letters = b.at(j);
      score_letters(table, letters.data(), letters.size(), of_column.data());
      for (const std::uint8_t code : codes) {
        scores_[code][j] = of_column[code];
        most[block][code] = std::max(most[block][code], of_column[code]);
      }
    }
  });
  for (const ByLetter& of_block : most) {
    for (const std::uint8_t code : codes) most_[code] = std::max(most_[code], of_block[code]);
  }
}

GroupBounds::GroupBounds(const GroupScores& groups, const LetterScores& letters) {
  const ProfileScores& importance = groups.importance;
  std::vector<double> of_a(groups.a.columns() + 1, 0), of_b(groups.b.columns() + 1, 0);
  for (std::uint8_t code = 0; code < ACCORD_SYMBOLS; ++code) {
    if (!letters.has(code)) continue;
    const double* const scores = letters.of(code);
    for (std::size_t j = 1; j < of_b.size(); ++j) of_b[j] = std::max(of_b[j], scores[j]);
  }
  const double most_residues = *std::ranges::max_element(groups.a.residues);
  for (double& most : of_b) most *= most_residues;

  const auto look_at_row = [&](std::size_t i, std::vector<double>& most_of_b) {
    const std::span<const GroupColumns::Letter> of_row = groups.a.at(i);
    for (const GroupColumns::Letter& letter : of_row) {
      of_a[i] += letter.weight * letters.most(letter.code);
    }
    for (std::size_t k = importance.row_begin[i - 1]; k < importance.row_begin[i]; ++k) {
      const std::size_t j = std::size_t{importance.cells[k].column} + 1;
      auto score = static_cast<double>(importance.cells[k].sum);
      for (const GroupColumns::Letter& letter : of_row) {
        score += letter.weight * letters.of(letter.code)[j];
      }
      of_a[i] = std::max(of_a[i], score);
      most_of_b[j] = std::max(most_of_b[j], score);
    }
  };
  const std::size_t rows = groups.a.columns();
  std::size_t parts = 1;
  if (importance.cells.size() >= kParallelCells) parts = static_cast<std::size_t>(thread_count());
  std::vector<std::vector<double>> of_part(parts, of_b);
  parallel_for(parts, [&](std::size_t part, int) {
    const std::size_t last = rows * (part + 1) / parts;
    for (std::size_t i = rows * part / parts + 1; i <= last; ++i) look_at_row(i, of_part[part]);
  });
  for (const std::vector<double>& most : of_part) take_larger(most, of_b);
  behind_a = sums_behind(of_a);
  behind_b = sums_behind(of_b);
}

}  // namespace accord
