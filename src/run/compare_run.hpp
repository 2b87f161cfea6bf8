// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "io/formats/alignment_text.hpp"
#include "tools/agreement.hpp"

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

/// Puts the agreement of columns and residues in the place of the confidence of an alignment. The
/// rows and columns of `text` are those of the shown alignment of `marks`.
void put_agreement(AlignmentText& text, const AgreementMarks& marks);

/// An HTML page that shows an alignment, and in place of the confidence its agreement with other
/// alignments of the same sequences. On the page a reader can switch to one of the first eight
/// others. Rows are matched by name. `labels`: a name for each of the others, in their order.
/// `found`: the result of compare() for these alignments, with CompareParts::marks.
/// Returns  the text of the page.
std::string comparison_page(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                            const std::vector<std::string>& labels, const Comparison& found);

}  // namespace accord::run
