// SPDX-License-Identifier: Apache-2.0
// Which rows and columns of an alignment are left out.
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

/// Columns `first` to `end` - 1, from 0.
struct ColumnRange {
  std::size_t first = 0, end = 0;
};

/// The columns of some ranges; all if there are none.
std::vector<bool> columns_in(const std::vector<ColumnRange>& ranges, std::size_t columns);

/// For each row the share of the columns that are `selected` in which it has a gap; 1 if there are
/// none.
std::vector<double> row_gap_shares(const std::vector<std::string>& rows,
                                   const std::vector<bool>& selected);

/// How columns are judged.
struct TrimRules {
  ColumnFilter filter;
  /// Only columns before the first, and behind the last, that the filter keeps are left out by it.
  bool ends_only = false;
  /// Three columns are one codon, of which all columns stay or go.
  bool whole_codons = false;
};

/// What becomes of each column of an alignment of which some columns are `selected`. Of whole
/// codons, one of which no column has a residue goes; else columns of gaps alone go always.
/// Throws  Error{internal} as judge_columns.
std::vector<ColumnFate> plan_trim(const AlignmentText& alignment, const std::vector<bool>& selected,
                                  const TrimRules& rules,
                                  const std::vector<double>& consistency = {});

/// A row that is left out.
struct RowLeftOut {
  std::string name;
  std::size_t residues;  ///< in the whole row
  double gaps;           ///< its share of gaps, see row_gap_shares
};

/// A table of what is left out, and why: a line `row`, name, residues, `gaps` and the share for
/// each row; and a line `columns`, first and last number from 1 ("5-9"), how many, and their
/// fate_name() for columns beside each other that share it.
std::string format_left_out(const std::vector<RowLeftOut>& rows,
                            const std::vector<ColumnFate>& fates);

/// "120 of 300 columns, 150 by gaps, 30 by confidence": how many columns are kept, and how many
/// have gone and why.
std::string counted_fates(const std::vector<ColumnFate>& fates);

/// How far other alignments of a family, at least one, agree with each column of one (see
/// ColumnAgreement): the share of its pairs of residues that they have, the mean over them; NaN for
/// columns of fewer than two residues.
/// Throws  as compare_alignments.
/// Reference  Capella-Gutierrez et al. 2009, Bioinformatics 25:1972.
std::vector<double> column_consistency(const AlignedRows& alignment,
                                       const std::vector<AlignedRows>& others);

}  // namespace accord
