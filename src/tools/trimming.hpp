// SPDX-License-Identifier: Apache-2.0
// Decides which rows and columns of an alignment are removed.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/aligned_rows.hpp"
#include "io/formats/alignment_text.hpp"
#include "tools/columns.hpp"

namespace accord {

/// Columns first ... end - 1, from 0.
struct ColumnRange {
  std::size_t first = 0, end = 0;
};

/// For each of `columns` columns, whether it is in one of the ranges; true for all if there are no
/// ranges. A range may extend beyond the last column.
std::vector<bool> columns_in(const std::vector<ColumnRange>& ranges, std::size_t columns);

/// For each row, the share of the `selected` columns in which it has a gap; 1 if no column is
/// selected.
std::vector<double> row_gap_shares(const std::vector<std::string>& rows,
                                   const std::vector<bool>& selected);

/// The rules by which columns are judged.
struct TrimRules {
  ColumnFilter filter;
  /// Apply the filter only before the first and behind the last column that it keeps.
  bool ends_only = false;
  /// Treat three columns, from the first column on, as one codon. The columns of a codon are
  /// kept or removed together. One or two columns that remain at the end are judged one by one.
  bool whole_codons = false;
};

/// Decides the fate of each column of an alignment. `selected` has an element for each column.
/// Columns that are not selected are removed, with whole_codons the whole codon. Columns without a
/// residue are removed; with whole_codons, only if no column of their codon has a residue. The
/// filter judges the other columns. `consistency`: column_consistency() for the filter; empty if
/// there are no other alignments.
/// Throws  Error{internal} if the filter uses a confidence or a consistency that is not there.
std::vector<ColumnFate> plan_trim(const AlignmentText& alignment, const std::vector<bool>& selected,
                                  const TrimRules& rules,
                                  const std::vector<double>& consistency = {});

/// A removed row.
struct RowLeftOut {
  std::string name;
  std::size_t residues;  ///< in the whole row
  double gaps;           ///< share of gaps, see row_gap_shares
};

/// A table of the removed rows and columns, with the reasons. Tabs separate the fields, and the
/// first line has their names: what, name, count, why. For each row: `row`, name, number of
/// residues, and `gaps` with the share. For each run of removed columns with the same fate:
/// `columns`, first and last number from 1 ("5-9"), number of columns, and fate_name().
std::string format_left_out(const std::vector<RowLeftOut>& rows,
                            const std::vector<ColumnFate>& fates);

/// "120 of 300 columns, 150 by gaps, 30 by confidence": the number of kept columns, then of removed
/// columns by reason.
std::string counted_fates(const std::vector<ColumnFate>& fates);

/// Returns, for each column of an alignment, the share of its residue pairs that another alignment
/// of the same sequences has, as the mean over `others` (see ColumnAgreement). A column with fewer
/// than two residues has NaN. `others` has at least one alignment.
/// Throws  as compare_alignments.
/// Reference  Capella-Gutierrez et al. 2009, Bioinformatics 25:1972.
std::vector<double> column_consistency(const AlignedRows& alignment,
                                       const std::vector<AlignedRows>& others);

}  // namespace accord
