// SPDX-License-Identifier: Apache-2.0
#include "accord/align/group_bounds.hpp"

#include <algorithm>

#include "accord/align/importance.hpp"
#include "accord/base/parallel.hpp"

namespace accord {
namespace {

/// Sums over all elements behind each.
std::vector<double> sums_behind(const std::vector<double>& values) {
  std::vector<double> sums(values.size(), 0);
  for (std::size_t k = values.size(); k-- > 1;) sums[k - 1] = sums[k] + values[k];
  return sums;
}

}  // namespace

LetterScores::LetterScores(const GroupScores& groups) : scores_(ACCORD_SYMBOLS) {
  std::vector<std::uint8_t> codes;
  std::vector<bool> is_there(ACCORD_SYMBOLS, false);
  for (const GroupColumns::Letter& letter : groups.a.letters) is_there[letter.code] = true;
  for (std::uint8_t code = 0; code < ACCORD_SYMBOLS; ++code) {
    if (is_there[code]) codes.push_back(code);
  }
  parallel_for(codes.size(), [&](std::size_t k, int) {
    const std::int32_t* const of_code = groups.scores.data() + codes[k] * ACCORD_SYMBOLS;
    std::vector<double>& scores = scores_[codes[k]];
    scores.resize(groups.b.columns() + 1);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      double sum = 0;
      for (const GroupColumns::Letter& other : groups.b.at(j)) {
        sum += other.weight * of_code[other.code];
      }
      scores[j] = kImportanceUnits * sum;
    }
  });
}

GroupBounds::GroupBounds(const GroupScores& groups, const LetterScores& letters) {
  std::vector<double> of_a(groups.a.columns() + 1, 0), of_b(groups.b.columns() + 1, 0);
  double most_of_letter[ACCORD_SYMBOLS] = {};
  for (std::uint8_t code = 0; code < ACCORD_SYMBOLS; ++code) {
    if (!letters.has(code)) continue;
    const double* const scores = letters.of(code);
    most_of_letter[code] = *std::max_element(scores, scores + of_b.size());
    for (std::size_t j = 1; j < of_b.size(); ++j) of_b[j] = std::max(of_b[j], scores[j]);
  }
  const double most_residues = *std::ranges::max_element(groups.a.residues);
  for (double& most : of_b) most *= most_residues;
  const ProfileScores& importance = groups.importance;
  for (std::size_t i = 1; i < of_a.size(); ++i) {
    for (const GroupColumns::Letter& letter : groups.a.at(i)) {
      of_a[i] += letter.weight * most_of_letter[letter.code];
    }
    for (std::size_t k = importance.row_begin[i - 1]; k < importance.row_begin[i]; ++k) {
      const std::size_t j = std::size_t{importance.cells[k].column} + 1;
      auto score = static_cast<double>(importance.cells[k].sum);
      for (const GroupColumns::Letter& letter : groups.a.at(i)) {
        score += letter.weight * letters.of(letter.code)[j];
      }
      of_a[i] = std::max(of_a[i], score);
      of_b[j] = std::max(of_b[j], score);
    }
    of_a[i] = std::max(of_a[i], 0.0);
  }
  behind_a = sums_behind(of_a);
  behind_b = sums_behind(of_b);
}

}  // namespace accord
