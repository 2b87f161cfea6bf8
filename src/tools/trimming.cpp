// SPDX-License-Identifier: Apache-2.0
#include "tools/trimming.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "tools/agreement.hpp"

namespace accord {
namespace {

constexpr std::size_t kCodon = 3;

/// Calls `body` with the first column of each codon.
template <class Body>
void for_codons(std::size_t columns, const Body& body) {
  for (std::size_t c = 0; c + kCodon <= columns; c += kCodon) body(c);
}

/// The columns with a residue; with `whole_codons`, all columns of codons with a residue.
std::vector<bool> columns_with_residue(const AlignmentText& alignment, bool whole_codons) {
  std::vector<bool> used(alignment.columns);
  for (const std::string& row : alignment.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] != '-') used[c] = true;
    }
  }
  if (!whole_codons) return used;
  for_codons(used.size(), [&](std::size_t c) {
    const bool any = used[c] || used[c + 1] || used[c + 2];
    for (std::size_t k = 0; k < kCodon; ++k) used[c + k] = any;
  });
  return used;
}

/// Keeps the columns that the filter removed between the first and the last kept column.
void keep_inside(std::vector<ColumnFate>& fates) {
  const auto is_kept = [](ColumnFate fate) { return fate == ColumnFate::kept; };
  const auto first = std::find_if(fates.begin(), fates.end(), is_kept);
  const auto last = std::find_if(fates.rbegin(), fates.rend(), is_kept).base();
  if (first == fates.end()) return;
  for (auto fate = first; fate != last; ++fate) {
    if (*fate > ColumnFate::no_residue) *fate = ColumnFate::kept;
  }
}

}  // namespace

std::vector<bool> columns_in(const std::vector<ColumnRange>& ranges, std::size_t columns) {
  std::vector<bool> selected(columns, ranges.empty());
  for (const ColumnRange& range : ranges) {
    for (std::size_t c = range.first; c < std::min(range.end, columns); ++c) selected[c] = true;
  }
  return selected;
}

std::vector<double> row_gap_shares(const std::vector<std::string>& rows,
                                   const std::vector<bool>& selected) {
  const auto columns = std::count(selected.begin(), selected.end(), true);
  std::vector<double> shares;
  for (const std::string& row : rows) {
    std::size_t gaps = 0;
    for (std::size_t c = 0; c < row.size(); ++c) gaps += selected[c] && row[c] == '-';
    shares.push_back(columns == 0 ? 1 : static_cast<double>(gaps) / static_cast<double>(columns));
  }
  return shares;
}

std::vector<ColumnFate> plan_trim(const AlignmentText& alignment, const std::vector<bool>& selected,
                                  const TrimRules& rules, const std::vector<double>& consistency) {
  std::vector<ColumnFate> fates = judge_columns(alignment, rules.filter, consistency);
  const std::vector<bool> used = columns_with_residue(alignment, rules.whole_codons);
  for (std::size_t c = 0; c < fates.size(); ++c) {
    if (!selected[c]) {
      fates[c] = ColumnFate::not_selected;
    } else if (!used[c]) {
      fates[c] = ColumnFate::no_residue;
    }
  }
  if (rules.whole_codons) {
    for_codons(fates.size(), [&](std::size_t c) {
      bool is_selected = true, is_kept = true;
      for (std::size_t k = 0; k < kCodon; ++k) {
        is_selected = is_selected && selected[c + k];
        is_kept = is_kept && fates[c + k] == ColumnFate::kept;
      }
      for (std::size_t k = 0; k < kCodon; ++k) {
        if (!is_selected) {
          fates[c + k] = ColumnFate::not_selected;
        } else if (!is_kept && fates[c + k] == ColumnFate::kept) {
          fates[c + k] = ColumnFate::codon;
        }
      }
    });
  }
  if (rules.ends_only) keep_inside(fates);
  return fates;
}

std::string format_left_out(const std::vector<RowLeftOut>& rows,
                            const std::vector<ColumnFate>& fates) {
  std::string text = "what\tname\tcount\twhy\n";
  for (const RowLeftOut& row : rows) {
    text += "row\t" + row.name + '\t' + std::to_string(row.residues) +
            formatted("\tgaps %.4f\n", row.gaps);
  }
  for (std::size_t c = 0, end = 0; c < fates.size(); c = end) {
    while (end < fates.size() && fates[end] == fates[c]) ++end;
    if (fates[c] == ColumnFate::kept) continue;
    text += "columns\t" + std::to_string(c + 1) + '-' + std::to_string(end) + '\t' +
            std::to_string(end - c) + '\t';
    text.append(fate_name(fates[c])) += '\n';
  }
  return text;
}

std::string counted_fates(const std::vector<ColumnFate>& fates) {
  std::map<ColumnFate, std::size_t> counts;
  for (const ColumnFate fate : fates) ++counts[fate];
  std::string text =
      std::to_string(counts[ColumnFate::kept]) + " of " + counted(fates.size(), "column");
  for (const auto& [fate, count] : counts) {
    if (fate == ColumnFate::kept) continue;
    text.append(", ").append(std::to_string(count)).append(" by ").append(fate_name(fate));
  }
  return text;
}

std::vector<double> column_consistency(const AlignedRows& alignment,
                                       const std::vector<AlignedRows>& others) {
  std::vector<double> values(alignment.rows.empty() ? 0 : alignment.rows[0].size(),
                             std::numeric_limits<double>::quiet_NaN());
  compare_alignments(alignment, others, [&](const ColumnAgreement& column) {
    values[column.column] = column.agreement();
  });
  return values;
}

}  // namespace accord
