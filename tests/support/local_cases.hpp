// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "align/local/importance.hpp"
#include "align/local/local_align.hpp"
#include "models/local_scores.hpp"
#include "support/align_cases.hpp"

// Families for the tests of the local mode, and scores from their definition.
namespace accord::testing {

/// Of a gap between groups.
inline constexpr double kOpen = 800.0 * kImportanceUnits;

/// Sequences with any alignment, and any importance.
struct LocalCase {
  SequenceSet set;
  PosteriorSet importance;
  std::vector<std::int32_t> scores = residue_scores(ResidueType::protein);
  Msa msa;

  LocalCase(Random& random, std::uint32_t rows, std::uint32_t columns, std::uint32_t chance) {
    msa = random_msa(random, rows, columns, chance);
    // In canonical order, the longest first.
    std::ranges::stable_sort(msa.column_of,
                             [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<SequenceRecord> records;
    for (std::uint32_t x = 0; x < rows; ++x) {
      std::string letters;
      for (std::size_t i = 0; i < msa.column_of[x].size(); ++i) {
        letters += "ACDEFGHIKLMNPQRSTVWYXB"[draw(random, 0, 21)];
      }
      records.push_back({std::to_string(x), letters});
    }
    set = SequenceSet(std::move(records), ResidueType::protein);
    importance = random_posteriors(random, set.lengths(), 2, 1000);
  }

  LocalEvidence evidence() const { return {set.coded(), importance, scores, kOpen}; }
};

/// Importance of residue i of x with j of y, in units; 0 if there is none.
inline std::uint32_t importance_of(const PosteriorSet& set, std::uint32_t x, std::uint32_t y,
                                   std::uint32_t i, std::uint32_t j) {
  std::uint32_t units = 0;
  set.at(x, y).for_each_in_row(i, [&](std::uint32_t column, std::uint32_t u) {
    if (column == j) units = u;
  });
  return units;
}

/// The score between two groups of rows of an alignment, pair by pair and column by column, from
/// the definition (see GroupScores).
inline double brute_score(const Msa& msa, const std::vector<std::uint32_t>& first,
                          const std::vector<std::uint32_t>& second,
                          const std::vector<std::uint32_t>& weights,
                          const LocalEvidence& evidence) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::vector<std::uint32_t>> residue;
  for (const auto& columns : msa.column_of) {
    residue.emplace_back(msa.columns, kNone);
    for (std::uint32_t i = 0; i < columns.size(); ++i) residue.back()[columns[i]] = i;
  }
  // Whether x has a residue in c and y a gap between two of its residues.
  const auto in_gap = [&](std::uint32_t x, std::uint32_t y, std::uint32_t c) {
    const auto& columns = msa.column_of[y];
    return residue[x][c] != kNone && residue[y][c] == kNone && !columns.empty() &&
           columns.front() < c && c < columns.back();
  };
  double score = 0;
  for (const std::uint32_t a : first) {
    for (const std::uint32_t b : second) {
      const std::uint32_t x = std::min(a, b), y = std::max(a, b);
      const double weight = static_cast<double>(weights[x]) * weights[y];
      for (std::uint32_t c = 0; c < msa.columns; ++c) {
        const std::uint32_t i = residue[x][c], j = residue[y][c];
        if (i != kNone && j != kNone) {
          const auto p = evidence.sequences.codes(x)[i], q = evidence.sequences.codes(y)[j];
          score += weight * kImportanceUnits * evidence.scores[p * ACCORD_SYMBOLS + q];
          score += weight * importance_of(evidence.importance, x, y, i, j);
        }
        for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)}) {
          const bool goes_on = c > 0 && in_gap(one, other, c - 1);
          if (in_gap(one, other, c) && !goes_on) score -= weight * evidence.open;
        }
      }
    }
  }
  return score;
}

/// A split tried with scratch of its own.
inline SplitOutcome tried(const Msa& msa, const BranchSplit& split, const LocalEvidence& evidence) {
  SplitScratch scratch;
  return try_split(msa, split, evidence, scratch);
}

}  // namespace accord::testing
