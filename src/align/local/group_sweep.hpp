// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace accord {

/// The state of an alignment of two groups: its last column is of both groups, of a alone, or of b
/// alone.
enum GroupState : std::uint8_t { kBoth, kOnlyA, kOnlyB };

// A byte of the trace holds, for each of the three states of a cell, the state before it: that
// before kBoth in the lowest bits, those before kOnlyA and kOnlyB shifted to the left by:
constexpr int kBeforeA = 2, kBeforeB = 4;

/// Largest number of columns of b in a strip.
constexpr std::size_t kStripColumns = 512;

/// The columns of b in a strip, with the values of GroupColumns; element j is column j of the
/// strip, from 0. Each value is the sum of the weights of some sequences of b:
///
///   residues       those with a residue in the column
///   residue_pairs  those with a residue in the column and in the column before
///   gaps           those with a gap in the column, between two residues
///   gap_pairs      those with such a gap in the column and in the column before
///   inner          those with a residue in the column or before it, and another one behind it
///
/// unpaired[j] is the sum of residues less residue_pairs over all columns of b up to column j,
/// columns before the strip included.
struct StripColumns {
  const double *residues, *residue_pairs, *gaps, *gap_pairs, *inner, *unpaired;
  std::size_t count;  ///< at most kStripColumns
};

/// The column of a in this row. The values are those of StripColumns for the sequences of a,
/// multiplied by the cost of a gap; `pairs` has residue_pairs.
struct GapSums {
  double residues, pairs, gaps, gap_pairs, inner;
};

/// One row of a strip: for each column of b, the best scores of the alignments that end there in
/// each state. Element -1 is the column before the strip; its memory must exist.
struct StripRow {
  double *both, *only_a, *only_b;
};

/// Computes a row of a strip (column i of a) from the row above. The caller has set element -1 of
/// the three arrays of `above` and of `row`. `match` has the scores of column i of a with each
/// column of the strip. `unpaired` is the value of b.unpaired for the column before the strip.
/// Writes b.count scores to each array of `row`, and the previous states to `trace`, a byte for
/// each column.
///
/// All values are integers below 2^53, so that sums are exact in any order.
void sweep_strip_row(const StripColumns& b, const GapSums& a, double unpaired, const double* match,
                     const StripRow& above, const StripRow& row, std::uint8_t* trace);

/// Adds weight * scores[j] to row[j] for j < count.
void add_scores(double weight, const double* scores, std::size_t count, double* row);

}  // namespace accord
