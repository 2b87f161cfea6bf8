// SPDX-License-Identifier: Apache-2.0
#include "tools/agreement.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/alphabet.hpp"
#include "tools/scoring.hpp"

namespace accord {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Half the sum of the counts in `partners`: every pair is counted at both of its residues.
std::uint64_t pairs_of(const std::vector<std::uint32_t>& partners) {
  return std::accumulate(partners.begin(), partners.end(), std::uint64_t{0}) / 2;
}

template <class Value>
double mean_over(std::size_t count, const Value& value) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += value(k);
  return count == 0 ? kNone : sum / static_cast<double>(count);
}

/// An alignment that is compared with the shown one.
struct Other {
  std::vector<std::vector<std::uint32_t>> column_of;  ///< [row of the shown alignment][residue]
  std::vector<std::uint32_t> residues_in;             ///< [column]: residues of these rows in it

  Other(const AlignedRows& rows, const AlignedRows& shown) : column_of(columns_in(rows, shown)) {
    residues_in.resize(rows.rows.empty() ? 0 : rows.rows[0].size());
    for (const std::vector<std::uint32_t>& columns : column_of) {
      for (const std::uint32_t c : columns) ++residues_in[c];
    }
  }
};

/// For each member, the number of other members in its group. `less` orders members by their group.
template <class Less>
std::vector<std::uint32_t> group_mates(std::size_t members, const Less& less) {
  std::vector<std::size_t> order(members);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), less);
  std::vector<std::uint32_t> mates(members);
  for (std::size_t first = 0, end = 0; first < members; first = end) {
    while (end < members && !less(order[first], order[end])) ++end;
    for (std::size_t k = first; k < end; ++k) {
      mates[order[k]] = static_cast<std::uint32_t>(end - first - 1);
    }
  }
  return mates;
}

/// Computes `partners` and `partners_in_all` of a column from its rows and residues.
void fill_partners(const std::vector<Other>& others, ColumnAgreement& column) {
  const auto stands_in = [&](const Other& other, std::size_t place) {
    return other.column_of[column.rows[place]][column.residues[place]];
  };
  const std::size_t members = column.rows.size();
  column.partners.clear();
  for (const Other& other : others) {
    if (members == 1) {
      column.partners.push_back({other.residues_in[stands_in(other, 0)] - 1});
      continue;
    }
    column.partners.push_back(group_mates(members, [&](std::size_t a, std::size_t b) {
      return stands_in(other, a) < stands_in(other, b);
    }));
  }
  column.partners_in_all = group_mates(members, [&](std::size_t a, std::size_t b) {
    for (const Other& other : others) {
      const std::uint32_t of_a = stands_in(other, a), of_b = stands_in(other, b);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  });
}

constexpr float kNoAgreement = std::numeric_limits<float>::quiet_NaN();

std::string decimals(double value, int digits, const char* none = "NA") {
  if (std::isnan(value)) return none;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits);
  return {text, end.ptr};
}

/// Replaces the characters that separate fields and values by blanks.
std::string one_field(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n' || c == '\r' || c == '|') c = ' ';
  }
  return text;
}

double pair_share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::nan("") : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::uint64_t ColumnAgreement::shared(std::size_t other) const {
  return rows.size() < 2 ? 0 : pairs_of(partners[other]);
}

std::uint64_t ColumnAgreement::shared_by_all() const { return pairs_of(partners_in_all); }

double ColumnAgreement::agreement(std::size_t other) const {
  if (!is_scored || rows.size() < 2) return kNone;
  return static_cast<double>(shared(other)) / static_cast<double>(pairs());
}

double ColumnAgreement::agreement() const {
  return mean_over(partners.size(), [&](std::size_t k) { return agreement(k); });
}

double ColumnAgreement::agreement_of(std::size_t place, std::size_t other) const {
  if (!is_scored) return kNone;
  const double found = partners[other][place];
  if (rows.size() > 1) return found / static_cast<double>(rows.size() - 1);
  return all_rows < 2 ? 1 : 1 - found / static_cast<double>(all_rows - 1);
}

double ColumnAgreement::agreement_of(std::size_t place) const {
  return mean_over(partners.size(), [&](std::size_t k) { return agreement_of(place, k); });
}

void compare_alignments(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                        const std::function<void(const ColumnAgreement&)>& visit) {
  std::vector<Other> compared;
  for (const AlignedRows& other : others) compared.emplace_back(other, shown);
  const std::size_t rows = shown.rows.size();
  const std::size_t columns = rows == 0 ? 0 : shown.rows[0].size();
  std::vector<std::uint32_t> next_residue(rows, 0);
  ColumnAgreement column;
  column.all_rows = rows;
  for (std::size_t c = 0; c < columns; ++c) {
    column.column = c;
    column.is_scored = shown.core_columns.empty() || shown.core_columns[c];
    column.rows.clear();
    column.residues.clear();
    for (std::size_t r = 0; r < rows; ++r) {
      if (shown.rows[r][c] == kGap) continue;
      column.rows.push_back(r);
      column.residues.push_back(next_residue[r]++);
    }
    if (column.rows.empty()) continue;
    fill_partners(compared, column);
    visit(column);
  }
}

AgreementSummary::AgreementSummary(std::vector<std::string> labels) {
  for (std::string& label : labels) counts_.push_back({one_field(std::move(label))});
  counts_.push_back({"all"});
}

void AgreementSummary::add(const ColumnAgreement& column) {
  if (!column.is_scored || column.rows.size() < 2) return;
  const std::uint64_t pairs = column.pairs();
  pairs_ += pairs;
  ++columns_;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    const std::uint64_t shared = k + 1 < counts_.size() ? column.shared(k) : column.shared_by_all();
    counts_[k].pairs += shared;
    counts_[k].columns += shared == pairs;
  }
}

std::string AgreementSummary::text() const {
  std::string text = "alignment\tpairs_shared\tpairs\tagreement\tcolumns_shared\tcolumns\n";
  for (const Counts& counts : counts_) {
    text += counts.label + '\t' + std::to_string(counts.pairs) + '\t' + std::to_string(pairs_) +
            '\t' + decimals(pair_share(counts.pairs, pairs_), 6) + '\t' +
            std::to_string(counts.columns) + '\t' + std::to_string(columns_) + '\n';
  }
  return text;
}

double AgreementSummary::mean() const {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < counts_.size(); ++k) sum += pair_share(counts_[k].pairs, pairs_);
  return sum / static_cast<double>(counts_.size() - 1);
}

AgreementTable::AgreementTable(const AlignedRows& shown, const std::vector<std::string>& labels)
    : shown_(shown), text_("level\tcolumn\tsequence\tresidue\tletter\tpairs\tagreement\tin_all") {
  for (const std::string& label : labels) text_ += '\t' + one_field(label);
  text_ += '\n';
}

void AgreementTable::add(const ColumnAgreement& column) {
  constexpr int kDigits = 4;
  const std::string number = std::to_string(column.column + 1);
  const std::size_t alignments = column.partners.size(), members = column.rows.size();
  text_ += "column\t" + number + "\t-\t-\t-\t" + std::to_string(column.pairs()) + '\t' +
           decimals(column.agreement(), kDigits) + '\t' +
           (column.is_scored ? std::to_string(column.shared_by_all()) : "NA");
  for (std::size_t k = 0; k < alignments; ++k) {
    text_ += '\t' + decimals(column.agreement(k), kDigits);
  }
  text_ += '\n';
  for (std::size_t place = 0; place < members; ++place) {
    const std::size_t r = column.rows[place];
    text_ += "residue\t" + number + '\t' + one_field(shown_.names[r]) + '\t' +
             std::to_string(column.residues[place] + 1) + '\t' + shown_.rows[r][column.column] +
             '\t' + std::to_string(members - 1) + '\t' +
             decimals(column.agreement_of(place), kDigits) + '\t' +
             (column.is_scored ? std::to_string(column.partners_in_all[place]) : "NA");
    for (std::size_t k = 0; k < alignments; ++k) {
      text_ += '\t' + decimals(column.agreement_of(place, k), kDigits);
    }
    text_ += '\n';
  }
}

AgreementMarks::AgreementMarks(const AlignedRows& shown, std::size_t others)
    : residue(shown.rows.size()) {
  const std::size_t columns = shown.rows.empty() ? 0 : shown.rows[0].size();
  mean.assign(columns, kNoAgreement);
  columns_by_other.assign(others, std::vector<float>(columns, kNoAgreement));
}

void AgreementMarks::add(const ColumnAgreement& column) {
  mean[column.column] = static_cast<float>(column.agreement());
  for (std::size_t k = 0; k < columns_by_other.size(); ++k) {
    columns_by_other[k][column.column] = static_cast<float>(column.agreement(k));
  }
  for (std::size_t place = 0; place < column.rows.size(); ++place) {
    residue[column.rows[place]].push_back(static_cast<float>(column.agreement_of(place)));
  }
}

std::string format_jalview(const AlignedRows& shown, const std::vector<std::string>& labels,
                           const AgreementMarks& marks) {
  const auto bars = [](const std::string& label, const std::string& what,
                       const std::vector<float>& values) {
    std::string line = "BAR_GRAPH\t" + label + '\t' + what + '\t';
    for (const float value : values) line += decimals(value, 4, "") + '|';
    return line + '\n';
  };
  std::string text = "JALVIEW_ANNOTATION\n";
  text += bars("agreement", "Mean share of the pairs of a column that the other alignments have",
               marks.mean);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string label = one_field(labels[k]);
    text += bars("in " + label, "Share of the pairs of a column that " + label + " has",
                 marks.columns_by_other[k]);
  }
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    text += "SEQUENCE_REF\t" + one_field(shown.names[r]) + "\t1\n" +
            bars("agreement of residues",
                 "Mean share of the pairs of a residue that the other alignments have",
                 marks.residue[r]);
  }
  return text + "SEQUENCE_REF\tALIGNMENT\n";
}

}  // namespace accord
