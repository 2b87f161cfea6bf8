// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "tools/agreement.hpp"

namespace accord {

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
