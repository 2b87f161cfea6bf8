// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "tools/agreement_tables.hpp"

namespace accord::run {

/// The parts of a comparison besides the summary.
struct CompareParts {
  bool table = false;  ///< a line for each column and residue
  bool marks = false;  ///< the agreement of each column and residue
};

/// How far other alignments agree with the shown alignment.
struct Comparison {
  AgreementSummary summary;
  std::optional<AgreementTable> table;  ///< refers to `shown`, which must outlive it
  std::optional<AgreementMarks> marks;
};

/// Compares the alignment `shown` with other alignments of the same sequences; `labels` has a name
/// for each of the others. The summary is always made; the table and the marks only if `parts`
/// requests them.
/// Throws  as compare_alignments.
Comparison compare(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                   const std::vector<std::string>& labels, const CompareParts& parts);

}  // namespace accord::run
