// SPDX-License-Identifier: Apache-2.0
#include "tools/agreement_tables.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace accord {
namespace {

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
