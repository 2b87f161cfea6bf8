// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace accord {

/// The last column of an alignment of two groups: of both, of a alone, of b alone.
enum GroupState : std::uint8_t { kBoth, kOnlyA, kOnlyB };

// A byte of the trace: the state before each of the three states.
constexpr int kBeforeA = 2, kBeforeB = 4;

/// The most columns of b that are swept together.
constexpr std::size_t kStripColumns = 512;

/// What some columns of b have (see GroupColumns), and the sum of residues less residue_pairs over
/// all columns of b up to each.
struct StripColumns {
  const double *residues, *residue_pairs, *gaps, *gap_pairs, *inner, *unpaired;
  std::size_t count;  ///< at most kStripColumns
};

/// What a column of a has, times the cost of a gap.
struct GapSums {
  double residues, pairs, gaps, gap_pairs, inner;
};

/// Values of the alignments of some columns of a with the beginnings of b, by the last column, for
/// the columns of a strip; element -1 is the column before the strip.
struct StripRow {
  double *both, *only_a, *only_b;
};

/// The values of a row of a strip (column i of a) from those of the row above; element -1 of `here`
/// is set. `unpaired` is that of the column before the strip. The states before go to `trace`.
///
/// All values are integers below 2^53, so that sums in any order give the same.
void sweep_strip_row(const StripColumns& b, const GapSums& a, double unpaired, const double* match,
                     const StripRow& above, const StripRow& here, std::uint8_t* trace);

/// row[j] += weight * scores[j]
void add_scores(double weight, const double* scores, std::size_t count, double* row);

}  // namespace accord
