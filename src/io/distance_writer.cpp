// SPDX-License-Identifier: Apache-2.0
#include "accord/io/distance_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "accord/io/alignment_text.hpp"

namespace accord {
namespace {

constexpr std::array<std::pair<std::string_view, DistanceFormat>, 4> kFormats = {
    {{"phylip", DistanceFormat::phylip},
     {"phylip-lower", DistanceFormat::phylip_lower},
     {"tsv", DistanceFormat::tsv},
     {"csv", DistanceFormat::csv}}};

constexpr std::size_t kValueBytes = 9;  // a separator and a distance below 10

std::string decimals(float distance) {
  constexpr int kDecimals = 6;
  char digits[64];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, distance, std::chars_format::fixed, kDecimals);
  return std::string(digits, end.ptr);
}

float distance_of(const DistanceMatrix& distances, const SequenceSet& set, std::size_t k,
                  std::size_t l) {
  return distances.at(set.from_input(k), set.from_input(l));
}

std::string format_phylip(const DistanceMatrix& distances, const SequenceSet& set, bool is_lower) {
  constexpr std::size_t kNarrowest = 10;  // as in strict PHYLIP, so that short names work there
  const std::vector<std::string> names = unique_names(set);
  std::size_t width = kNarrowest;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string text = std::to_string(set.size()) + "\n";
  const std::size_t values = set.size() * set.size() / (is_lower ? 2 : 1);
  text.reserve(text.size() + set.size() * (width + 1) + values * kValueBytes);
  for (std::size_t k = 0; k < set.size(); ++k) {
    text += names[k] + std::string(width - names[k].size(), ' ');
    for (std::size_t l = 0; l < (is_lower ? k : set.size()); ++l) {
      text += ' ';
      text += decimals(distance_of(distances, set, k, l));
    }
    text += '\n';
  }
  return text;
}

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"") == name.npos) return name;
  std::string field(1, '"');
  for (char c : name) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

std::string format_table(const DistanceMatrix& distances, const SequenceSet& set, char separator) {
  std::vector<std::string> names = unique_names(set);
  if (separator == ',') std::transform(names.begin(), names.end(), names.begin(), csv_field);
  std::string text = "name";
  for (const std::string& name : names) text += separator + name;
  text.reserve(2 * (text.size() + set.size()) + set.size() * set.size() * kValueBytes);
  text += '\n';
  for (std::size_t k = 0; k < set.size(); ++k) {
    text += names[k];
    for (std::size_t l = 0; l < set.size(); ++l) {
      text += separator + decimals(distance_of(distances, set, k, l));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::optional<DistanceFormat> distance_format_named(std::string_view name) {
  for (const auto& [word, format] : kFormats) {
    if (word == name) return format;
  }
  return std::nullopt;
}

DistanceFormat distance_format_of_suffix(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  if (path.ends_with(".tsv")) return DistanceFormat::tsv;
  if (path.ends_with(".csv")) return DistanceFormat::csv;
  return DistanceFormat::phylip;
}

std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set,
                             DistanceFormat format) {
  switch (format) {
    case DistanceFormat::phylip:
      return format_phylip(distances, set, false);
    case DistanceFormat::phylip_lower:
      return format_phylip(distances, set, true);
    case DistanceFormat::tsv:
      return format_table(distances, set, '\t');
    case DistanceFormat::csv:
      return format_table(distances, set, ',');
  }
  return {};
}

}  // namespace accord
