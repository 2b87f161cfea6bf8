// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// How far other alignments of the same sequences agree with one column of the shown alignment.
///
/// A pair is two residues of the column; another alignment has the pair if both residues are in one
/// column there. The agreement of a residue with another alignment is the share of the pairs of the
/// residue that the other alignment has. The agreement of the column is the same share for all
/// pairs of the column. A residue that is alone in its column makes no pair. Its agreement is the
/// share of the other rows with which the other alignment does not align it. This value counts in
/// no mean, except that of this residue over the other alignments.
/// Reference  the residue and column scores of GUIDANCE (Penn et al. 2010, Mol Biol Evol 27:1759),
///            with given alignments in place of alignments along perturbed trees.
struct ColumnAgreement {
  std::size_t column = 0;               ///< of the shown alignment, from 0
  bool is_scored = true;                ///< a core column, if the shown alignment has core columns
  std::size_t all_rows = 0;             ///< number of rows of the shown alignment
  std::vector<std::size_t> rows;        ///< rows with a residue in the column
  std::vector<std::uint32_t> residues;  ///< for each of `rows`, the index of its residue, from 0
  /// [other alignment][index in `rows`]: number of other residues of this column that the other
  /// alignment has in one column with the residue. If this column has one residue, the residues of
  /// all rows count.
  std::vector<std::vector<std::uint32_t>> partners;
  /// [index in `rows`]: number of other residues of this column that every other alignment has in
  /// one column with the residue; 0 if this column has one residue.
  std::vector<std::uint32_t> partners_in_all;

  /// The number of pairs of the column.
  std::uint64_t pairs() const { return rows.size() * (rows.size() - 1) / 2; }
  /// The number of pairs of the column that alignment `other` has, and the number of pairs that
  /// every other alignment has; 0 if the column has one residue.
  std::uint64_t shared(std::size_t other) const;
  std::uint64_t shared_by_all() const;

  /// The agreement of the column with alignment `other`, and the mean over all other alignments;
  /// NaN if the column has no pair or is not scored.
  double agreement(std::size_t other) const;
  double agreement() const;
  /// The agreement of the residue in row rows[place] with alignment `other`, and the mean over all
  /// other alignments; NaN if the column is not scored.
  double agreement_of(std::size_t place, std::size_t other) const;
  double agreement_of(std::size_t place) const;
};

/// Calls `visit` for every column of `shown` with a residue, from left to right. Its argument is
/// valid only during the call. Rows are matched by name; the others may have further rows.
/// Throws  Error{bad_input} if one of the others lacks a row of `shown` or has other residues in
///         it, or if an alignment has rows of different lengths or two rows of one name.
/// Cost    O(rows log rows) per column and alignment.
void compare_alignments(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                        const std::function<void(const ColumnAgreement&)>& visit);

/// A table of agreement with the shown alignment: a line for each other alignment, and one for the
/// pairs and columns that all of them have. It counts pairs and whole columns of the shown
/// alignment. Columns that are not scored, or that have fewer than two residues, do not count. The
/// columns come from compare_alignments().
class AgreementSummary {
 public:
  /// Begins with counts of 0. `labels`: names of the other alignments; tabs, line ends and `|` in
  /// them become blanks in the table.
  explicit AgreementSummary(std::vector<std::string> labels);
  /// Adds the counts of a column of the shown alignment.
  void add(const ColumnAgreement& column);

  /// The table, with these names in its first line, separated by tabs: alignment, pairs_shared,
  /// pairs, agreement, columns_shared, columns. The agreement is over all pairs, with 6 decimals;
  /// `NA` if there is no pair.
  std::string text() const;
  /// The mean of the agreements of the other alignments; NaN if there is no pair.
  double mean() const;

 private:
  struct Counts {
    std::string label;
    std::uint64_t pairs = 0, columns = 0;
  };
  std::vector<Counts> counts_;  ///< for each alignment, then for all
  std::uint64_t pairs_ = 0, columns_ = 0;
};

/// A table in the format of a confidence table (see format_confidence): for each column, a line for
/// the column, then a line for each of its residues.
class AgreementTable {
 public:
  /// Begins with the line of the names of the fields. `shown` must outlive this object. `labels`:
  /// names of the other alignments; tabs, line ends and `|` in them become blanks.
  AgreementTable(const AlignedRows& shown, const std::vector<std::string>& labels);
  /// Appends the lines of a column; columns are added from left to right.
  void add(const ColumnAgreement& column);

  /// The table, with the fields level, column, sequence, residue, letter, pairs, agreement, in_all
  /// (pairs that all alignments have), and for each other alignment a field with its label: the
  /// share of the pairs that it has. Columns and residues are numbered from 1. Shares have 4
  /// decimals; `NA` for a value that does not exist.
  const std::string& text() const { return text_; }

 private:
  const AlignedRows& shown_;
  std::string text_;
};

/// The agreement of every column and residue.
struct AgreementMarks {
  /// Begins without values; `others`: number of the other alignments.
  AgreementMarks(const AlignedRows& shown, std::size_t others);
  /// Keeps the values of a column; columns are added from left to right.
  void add(const ColumnAgreement& column);

  std::vector<float> mean;                           ///< [column], over the others; NaN: no value
  std::vector<std::vector<float>> columns_by_other;  ///< [other alignment][column]; NaN: no value
  /// [row][residue], mean over the others; NaN: no value. A row has the residues of the
  /// added columns.
  std::vector<std::vector<float>> residue;
};

/// Formats an annotation file of Jalview: a row of bars for the mean agreement of each column, one
/// such row for each other alignment, and a row of bars for the residues of each sequence. `labels`
/// are the names of the other alignments; all columns must be in `marks`.
/// Reference  Jalview's manual, "The Alignment Annotations File".
std::string format_jalview(const AlignedRows& shown, const std::vector<std::string>& labels,
                           const AgreementMarks& marks);

}  // namespace accord
