// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "run/compare_run.hpp"

namespace accord::api {
namespace {

/// The marks of residues, row by row over all columns, NaN in gaps.
std::vector<float> spread(const AlignedRows& shown, const AgreementMarks& marks) {
  std::vector<float> all;
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    std::size_t next = 0;
    for (const char letter : shown.rows[r]) {
      all.push_back(letter == '-' ? std::numeric_limits<float>::quiet_NaN()
                                  : marks.residue[r][next++]);
    }
  }
  return all;
}

}  // namespace

Agreement compare(const Reference& shown, const std::vector<std::vector<Sequence>>& others) {
  return with_api_option_names([&] {
    if (others.empty()) {
      throw Error(ErrorKind::usage, "there is no alignment to compare with", "give one or more");
    }
    AlignedRows first = named_rows_of(shown.rows, "the alignment");
    first.core_columns = shown.core;
    std::vector<AlignedRows> rest;
    std::vector<std::string> labels;
    for (const std::vector<Sequence>& rows : others) {
      labels.push_back(std::to_string(labels.size() + 1));
      rest.push_back(named_rows_of(rows, "alignment " + labels.back()));
    }
    const run::Comparison found = run::compare(first, rest, labels, {.marks = true});
    const AgreementMarks& marks = *found.marks;
    return Agreement{marks.mean, marks.columns_by_other, spread(first, marks), found.summary.mean(),
                     found.summary.text()};
  });
}

}  // namespace accord::api
