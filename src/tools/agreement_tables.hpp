// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "tools/agreement.hpp"

namespace accord {

/// A table with a line for each alignment that the shown one is compared with, and one for all of
/// them at once: how many of the pairs and of the whole columns of the shown one they have. Columns
/// that are not scored, or have fewer than two residues, do not count.
class AgreementSummary {
 public:
  /// `labels` names the alignments.
  explicit AgreementSummary(std::vector<std::string> labels);
  void add(const ColumnAgreement& column);

  /// alignment, pairs_shared, pairs, agreement, columns_shared, columns; tabs between them. The
  /// agreement is that of all pairs, 6 decimals.
  std::string text() const;
  /// The mean of the agreements of the alignments; NaN if there is no pair.
  double mean() const;

 private:
  struct Counts {
    std::string label;
    std::uint64_t pairs = 0, columns = 0;
  };
  std::vector<Counts> counts_;  ///< of each alignment, then of all
  std::uint64_t pairs_ = 0, columns_ = 0;
};

/// A table as that of a confidence (see format_confidence): column by column a line for the column,
/// then one for each of its residues.
class AgreementTable {
 public:
  AgreementTable(const AlignedRows& shown, const std::vector<std::string>& labels);
  void add(const ColumnAgreement& column);

  /// level, column, sequence, residue, letter, pairs, agreement, in_all (the pairs that all
  /// alignments have), then for each alignment a column with its label: the share of the pairs that
  /// it has. 4 decimals; `NA` where there is none.
  const std::string& text() const { return text_; }

 private:
  const AlignedRows& shown_;
  std::string text_;
};

/// The agreement of every column and residue.
struct AgreementMarks {
  AgreementMarks(const AlignedRows& shown, std::size_t others);
  void add(const ColumnAgreement& column);

  std::vector<float> mean;                  ///< of each column; NaN where there is none
  std::vector<std::vector<float>> of;       ///< the same of each alignment
  std::vector<std::vector<float>> residue;  ///< [row][residue]
};

/// An annotation file of Jalview: bars of the agreement of each column, one row for the mean and
/// one for each alignment, and a row of bars for the residues of each sequence.
/// Reference  Jalview's manual, "The Alignment Annotations File".
std::string format_jalview(const AlignedRows& shown, const std::vector<std::string>& labels,
                           const AgreementMarks& marks);

}  // namespace accord
