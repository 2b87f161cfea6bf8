// SPDX-License-Identifier: Apache-2.0
#include "run/report/trim_page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "run/report/html_page.hpp"

namespace accord {
namespace {

std::vector<float> as_track(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim) {
  AlignmentText text = losses.whole;
  const std::vector<bool> kept = kept_columns(losses.columns);
  PageMeasure measure{"kept",
                      {{"gaps", as_track(gap_shares(text))}},
                      "Columns that are kept have the value 1; those that go have 0, and their "
                      "residues are faded."};
  if (!text.column_confidence.empty()) {
    measure.tracks.push_back({"confidence", text.column_confidence});
  }
  if (!losses.consistency.empty()) {
    measure.tracks.push_back({"consistency", as_track(losses.consistency)});
  }
  text.column_confidence.assign(kept.begin(), kept.end());
  text.residue_codes.clear();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    std::string codes;
    for (const std::uint32_t c : text.rows.column_of(r)) codes += kept[c] ? '*' : '0';
    text.residue_codes.push_back(std::move(codes));
  }
  const auto count = static_cast<double>(std::count(kept.begin(), kept.end(), true));
  PageParts parts{label + ": kept columns",
                  count / static_cast<double>(std::max<std::size_t>(1, kept.size())), nullptr,
                  format_left_out(losses.rows, losses.columns), std::move(measure)};
  parts.is_part = !losses.rows.empty();
  parts.is_confidence_of_trim = is_confidence_of_trim;
  return format_page(text, parts);
}

}  // namespace accord
