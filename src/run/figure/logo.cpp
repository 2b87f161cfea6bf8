// SPDX-License-Identifier: Apache-2.0
#include "run/figure/logo.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
namespace accord {
namespace {

/// How often each canonical residue stands in a column.
std::vector<std::pair<char, std::uint32_t>> canonical_counts(const ColumnCounts& column,
                                                             ResidueType type) {
  std::vector<std::pair<char, std::uint32_t>> counts;
  const std::string_view letters = type == ResidueType::protein ? "ACDEFGHIKLMNPQRSTVWY"
                                   : type == ResidueType::rna   ? "ACGU"
                                                                : "ACGT";
  for (const char letter : letters) {
    std::uint32_t seen = column.of(letter);
    if (type != ResidueType::protein && letter == 'U') seen += column.of('T');
    if (type != ResidueType::protein && letter == 'T') seen += column.of('U');
    if (seen > 0) counts.emplace_back(letter, seen);
  }
  return counts;
}

}  // namespace

double most_logo_bits(ResidueType type) {
  return std::log2(static_cast<double>(residue_count(type)));
}

std::vector<LogoLetter> logo_column(const ColumnCounts& column, ResidueType type) {
  const std::vector<std::pair<char, std::uint32_t>> counts = canonical_counts(column, type);
  double total = 0;
  for (const auto& entry : counts) total += entry.second;
  if (total == 0) return {};
  double entropy = 0;
  for (const auto& entry : counts) {
    const double share = entry.second / total;
    entropy -= share * std::log2(share);
  }
  const double correction =
      (static_cast<double>(residue_count(type)) - 1) / (2 * std::log(2.0) * total);
  const double information = std::max(0.0, most_logo_bits(type) - entropy - correction);
  std::vector<LogoLetter> letters;
  for (const auto& entry : counts) letters.push_back({entry.first, entry.second / total});
  std::stable_sort(letters.begin(), letters.end(),
                   [](const LogoLetter& a, const LogoLetter& b) { return a.bits < b.bits; });
  for (LogoLetter& letter : letters) letter.bits *= information;
  return letters;
}

std::string_view letter_outline(char letter) {
  static const std::map<char, std::string> outlines = [] {
    std::map<char, std::string> found;
    const auto table = nlohmann::json::parse(drawing_table_text());
    for (const auto& [name, path] : table.at("outlines").items()) {
      found.emplace(name[0], path.get<std::string>());
    }
    return found;
  }();
  return outlines.at(letter);
}

}  // namespace accord
