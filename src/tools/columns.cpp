// SPDX-License-Identifier: Apache-2.0
#include "tools/columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"

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

std::string four_digits(double value) {
  return std::isnan(value) ? "NA" : formatted("%.4f", value);
}

/// The value of a column; NaN if `values` is empty.
template <class Number>
double value_at(const std::vector<Number>& values, std::size_t c) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[c];
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

std::string_view fate_name(ColumnFate fate) {
  constexpr std::array<std::string_view, 7> kNames = {
      "kept", "not-selected", "no-residue", "gaps", "confidence", "consistency", "codon"};
  return kNames[static_cast<std::size_t>(fate)];
}

std::vector<ColumnFate> judge_columns(const AlignmentText& alignment, const ColumnFilter& filter,
                                      const std::vector<double>& consistency) {
  if ((filter.least_confidence && alignment.column_confidence.size() != alignment.columns) ||
      (filter.least_consistency && consistency.size() != alignment.columns)) {
    throw Error(ErrorKind::internal, "columns are judged by an unknown confidence or consistency");
  }
  const std::vector<double> shares = gap_shares(alignment);
  std::vector<ColumnFate> fates(alignment.columns, ColumnFate::kept);
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    // The comparisons are such that NaN does not pass.
    if (shares[c] > filter.most_gaps) {
      fates[c] = ColumnFate::gaps;
    } else if (filter.least_confidence &&
               !(alignment.column_confidence[c] >= *filter.least_confidence)) {
      fates[c] = ColumnFate::confidence;
    } else if (filter.least_consistency && !(consistency[c] >= *filter.least_consistency)) {
      fates[c] = ColumnFate::consistency;
    }
  }
  return fates;
}

std::vector<bool> kept_columns(const std::vector<ColumnFate>& fates) {
  std::vector<bool> kept;
  for (const ColumnFate fate : fates) kept.push_back(fate == ColumnFate::kept);
  return kept;
}

std::vector<bool> passing_columns(const AlignmentText& alignment, const ColumnFilter& filter) {
  return kept_columns(judge_columns(alignment, filter));
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

std::string format_column_map(const AlignmentText& alignment, const std::vector<ColumnFate>& fates,
                              const std::vector<double>& consistency) {
  const std::vector<double> shares = gap_shares(alignment);
  std::string text = "column\tkept_as\tgaps\tconfidence\tconsistency\twhy\n";
  std::size_t next = 0;
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    text += std::to_string(c + 1) + '\t' +
            (fates[c] == ColumnFate::kept ? std::to_string(++next) : "-") + '\t' +
            four_digits(shares[c]) + '\t' + four_digits(value_at(alignment.column_confidence, c)) +
            '\t' + four_digits(value_at(consistency, c)) + '\t';
    text.append(fate_name(fates[c])) += '\n';
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
