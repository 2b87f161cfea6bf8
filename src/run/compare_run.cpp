// SPDX-License-Identifier: Apache-2.0
#include "run/compare_run.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "base/paths.hpp"
#include "core/alphabet.hpp"
#include "core/confidence.hpp"
#include "run/report/html_page.hpp"

namespace accord::run {
namespace {

/// The marks of a row's residues in HMMER's code; `.` for NaN.
std::string codes_of(const std::vector<float>& marks) {
  std::string codes;
  for (const float mark : marks) codes += mark == mark ? posterior_code(mark) : '.';
  return codes;
}

/// An alignment with the marks of its columns and residues in place of a confidence.
AlignmentText marked_text(const AlignedRows& rows, const AgreementMarks& marks) {
  AlignmentText text;
  const std::vector<std::string_view> views(rows.rows.begin(), rows.rows.end());
  text.type = guess_residue_type(views).type;
  text.columns = rows.rows[0].size();
  text.headers = text.names = rows.names;
  for (const std::string& row : rows.rows) text.rows.push_back(row);
  put_agreement(text, marks);
  return text;
}

/// Sorts rows into the order of `names`, which are the names of the rows.
AlignedRows in_order(AlignedRows rows, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> place;
  for (std::size_t r = 0; r < rows.names.size(); ++r) place[rows.names[r]] = r;
  std::vector<std::string> ordered;
  for (const std::string& name : names) ordered.push_back(std::move(rows.rows[place.at(name)]));
  rows.rows = std::move(ordered);
  rows.names = names;
  return rows;
}

/// Another alignment, with its agreement with the shown alignment.
PageAlternative alternative(const std::string& label, const AlignedRows& other,
                            const AlignedRows& shown) {
  const AlignedRows rows = in_order(other, shown.names);
  const Comparison found = compare(rows, {shown}, {shown.source}, {.marks = true});
  return {label, marked_text(rows, *found.marks), found.summary.mean(), {}};
}

}  // namespace

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

void put_agreement(AlignmentText& text, const AgreementMarks& marks) {
  text.column_confidence = marks.mean;
  text.residue_codes.clear();
  for (const std::vector<float>& row : marks.residue) text.residue_codes.push_back(codes_of(row));
}

std::string comparison_page(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                            const std::vector<std::string>& labels, const Comparison& found) {
  constexpr std::size_t kMostShown = 8;
  PageParts parts{file_name(shown.source) + ": agreement", found.summary.mean(), nullptr,
                  found.summary.text()};
  parts.measure.name = "agreement";
  parts.measure.meaning =
      "Agreement is the share of the aligned pairs that other alignments have, in the mean over "
      "them: of a residue of its pairs, of a column of all of its pairs. Of another alignment that "
      "is chosen it is the agreement with the first one.";
  parts.name = shown.source;
  for (std::size_t k = 0; k < std::min(labels.size(), kMostShown); ++k) {
    parts.measure.tracks.push_back({labels[k], found.marks->columns_by_other[k]});
    parts.others.push_back(alternative(labels[k], others[k], shown));
  }
  return format_page(marked_text(shown, *found.marks), parts);
}

}  // namespace accord::run
