// SPDX-License-Identifier: Apache-2.0
// Removes rows and columns of an alignment, for `accord trim`.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "core/confidence.hpp"
#include "io/families/aligned_reader.hpp"
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

/// The rows and columns that a user wants to keep. Shares are in [0, 1].
struct TrimRequest {
  /// The columns to keep; empty: all. A range with the end SIZE_MAX reaches to the last column.
  std::vector<ColumnRange> ranges;
  /// The name of a row: keep the columns in which the row has a residue. "first" is the first row,
  /// unless a row has that name. Empty: not used.
  std::string row;
  /// Limits, if set: the largest share of gaps in a kept column and in a kept row, and the least
  /// confidence and consistency of a kept column. Residues with less confidence than `mask` are
  /// written in lower case, and all others in upper case.
  std::optional<double> most_gaps, most_row_gaps, least_confidence, least_consistency, mask;
  /// `ends_only`: the limits remove columns only before the first and behind the last column that
  /// passes them. `whole_codons`: the three columns of a codon are kept or removed together.
  /// `keeps_names`: numbers in names such as NAME/12-80 stay.
  bool ends_only = false, whole_codons = false, keeps_names = false;
  LetterCase letter_case = LetterCase::keep;

  /// The rules for columns. If the user sets no limit for gaps and no other rule, columns with more
  /// than 90 % gaps are removed.
  TrimRules rules() const;
  /// Whether a rule uses the confidence.
  bool needs_confidence() const { return least_confidence || mask; }
};

/// Parses columns such as "5-90,120-" or "-40", numbered from 1, into ranges that count from 0.
/// Throws  Error{usage} for a text that is no list of ranges.
std::vector<ColumnRange> parse_columns(const std::string& text);

/// A trimmed alignment, and the fates of all rows and columns.
struct TrimmedAlignment {
  AlignmentText text;               ///< the kept columns of the kept rows, with their new names
  AlignmentText whole;              ///< the kept rows, with all columns
  std::vector<RowLeftOut> rows;     ///< the removed rows
  std::vector<ColumnFate> columns;  ///< for each column of `whole`, whether and why it was removed
  std::vector<double> consistency;  ///< of each column of `whole`; empty without other alignments
  SequenceSet set;                  ///< the sequences of the kept rows
  bool keeps_names = false;         ///< as in the request
};

/// Computes the confidence of an alignment; trim_alignment() passes the rows that remain.
using JudgeAlignment = std::function<Confidence(const AlignedFamily&)>;

/// Trims an alignment, in three steps. First, its ranges and its row select columns. Then rows with
/// too many gaps in the selected columns are removed. Then the columns of the remaining rows are
/// judged by the rules; `judge`, if set, computes their confidence. `others` are alignments of the
/// same sequences. Warns of rows without a residue, and of names with coordinates that do not fit.
/// Throws  Error{usage} for a column or a row that does not exist, or for a least consistency
///         without other alignments; Error{bad_input} if codons are
///         requested for proteins or the columns are not whole codons, and if no row remains; as
///         column_consistency and `judge`; Error{internal} if the confidence is needed and `judge`
///         is not set.
TrimmedAlignment trim_alignment(AlignedFamily aligned, const TrimRequest& request,
                                const std::vector<AlignedRows>& others,
                                const JudgeAlignment& judge = {});

/// The kept rows with only the removed columns. Numbers in names such as NAME/12-80 become those of
/// the residues in these columns, unless `keeps_names` is set.
AlignmentText complement_of(const TrimmedAlignment& trimmed);

/// The rows of an alignment with their names, for comparisons.
AlignedRows named_rows(const AlignedFamily& aligned);

}  // namespace accord
