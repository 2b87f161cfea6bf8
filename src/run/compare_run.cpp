// SPDX-License-Identifier: Apache-2.0
#include "run/compare_run.hpp"

#include "tools/agreement.hpp"

namespace accord::run {

Comparison compare(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                   const std::vector<std::string>& labels, const CompareParts& parts) {
  Comparison found{AgreementSummary(labels), {}, {}};
  if (parts.table) found.table.emplace(shown, labels);
  if (parts.marks) found.marks.emplace(shown, others.size());
  compare_alignments(shown, others, [&](const ColumnAgreement& column) {
    found.summary.add(column);
    if (found.table) found.table->add(column);
    if (found.marks) found.marks->add(column);
  });
  return found;
}

}  // namespace accord::run
