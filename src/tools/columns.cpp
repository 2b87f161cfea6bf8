// SPDX-License-Identifier: Apache-2.0
#include "tools/columns.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

#include "accord/base/error.hpp"

namespace accord {
namespace {

template <class Sequence>
void keep(Sequence& values, const std::vector<bool>& kept) {
  std::size_t next = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (kept[c]) values[next++] = values[c];
  }
  values.resize(next);
}

}  // namespace

std::vector<double> gap_shares(const AlignmentText& alignment) {
  std::vector<double> shares;
  for (const std::size_t residues : alignment.rows.residues_by_column()) {
    shares.push_back(static_cast<double>(alignment.rows.size() - residues) /
                     static_cast<double>(alignment.rows.size()));
  }
  return shares;
}

std::vector<bool> passing_columns(const AlignmentText& alignment, const ColumnFilter& filter) {
  if (filter.least_confidence && alignment.column_confidence.size() != alignment.columns) {
    throw Error(ErrorKind::internal, "columns are to be kept by a confidence that is not known");
  }
  const std::vector<double> shares = gap_shares(alignment);
  std::vector<bool> kept(alignment.columns);
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    kept[c] = shares[c] <= filter.most_gaps;
    if (!filter.least_confidence) continue;
    // NaN is less than nothing, and so not kept.
    kept[c] = kept[c] && alignment.column_confidence[c] >= *filter.least_confidence;
  }
  return kept;
}

void keep_columns(AlignmentText& alignment, const std::vector<bool>& kept) {
  for (std::size_t r = 0; r < alignment.residue_codes.size(); ++r) {
    if (!alignment.residue_codes[r]) continue;
    std::string codes;
    const std::span<const std::uint32_t> columns = alignment.rows.column_of(r);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (kept[columns[i]]) codes += (*alignment.residue_codes[r])[i];
    }
    alignment.residue_codes[r] = std::move(codes);
  }
  alignment.rows.keep_columns(kept);
  keep(alignment.column_codes, kept);
  keep(alignment.column_confidence, kept);
  keep(alignment.match_columns, kept);
  alignment.markup.keep_columns(kept);
  alignment.columns = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
}

std::string format_column_map(const AlignmentText& alignment, const std::vector<bool>& kept) {
  const std::vector<double> shares = gap_shares(alignment);
  std::string text = "column\tkept_as\tgaps\tconfidence\n";
  std::size_t next = 0;
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    const bool is_known =
        c < alignment.column_confidence.size() && !std::isnan(alignment.column_confidence[c]);
    char numbers[64];
    if (is_known) {
      std::snprintf(numbers, sizeof numbers, "%.4f\t%.4f", shares[c],
                    static_cast<double>(alignment.column_confidence[c]));
    } else {
      std::snprintf(numbers, sizeof numbers, "%.4f\tNA", shares[c]);
    }
    text += std::to_string(c + 1) + '\t' + (kept[c] ? std::to_string(++next) : "-") + '\t' +
            numbers + '\n';
  }
  return text;
}

void mask_residues(AlignmentText& alignment, const SequenceSet& set, const Confidence& confidence,
                   double least) {
  for (std::size_t k = 0; k < alignment.rows.size(); ++k) {
    const std::vector<float>& residues = confidence.residue[set.from_input(k)];
    std::size_t i = 0;
    for (char& c : alignment.rows.residues(k)) {
      const auto letter = static_cast<unsigned char>(c);
      c = static_cast<char>(residues[i++] < least ? std::tolower(letter) : std::toupper(letter));
    }
  }
}

}  // namespace accord
