// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "tools/agreement_tables.hpp"

namespace accord::run {

/// What a comparison makes beside its summary.
struct CompareParts {
  bool table = false;  ///< a line for each column and residue
  bool marks = false;  ///< the agreement of each column and residue
};

/// How far other alignments agree with one that is shown.
struct Comparison {
  AgreementSummary summary;
  std::optional<AgreementTable> table;  ///< refers to the alignment that is shown
  std::optional<AgreementMarks> marks;
};

/// Compares an alignment with others of the same sequences; `labels` names the others.
/// Throws  as compare_alignments.
Comparison compare(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                   const std::vector<std::string>& labels, const CompareParts& parts);

}  // namespace accord::run
