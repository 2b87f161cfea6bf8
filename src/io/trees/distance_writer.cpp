// SPDX-License-Identifier: Apache-2.0
#include "io/trees/distance_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/files/packing.hpp"
#include "io/files/utf8.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {
namespace {

constexpr std::array<std::pair<std::string_view, DistanceFormat>, 5> kFormats = {
    {{"phylip", DistanceFormat::phylip},
     {"phylip-lower", DistanceFormat::phylip_lower},
     {"tsv", DistanceFormat::tsv},
     {"csv", DistanceFormat::csv},
     {"pairs", DistanceFormat::pairs}}};

constexpr std::size_t kValueBytes = 9;  // a separator and a distance below 10

/// Formats the entries of a matrix, by index in the input.
struct Figures {
  const DistanceMatrix& distances;
  const SequenceSet& set;
  DistanceUnit unit;

  std::string at(std::size_t k, std::size_t l) const {
    const float distance = distances.at(set.from_input(k), set.from_input(l));
    if (!std::isfinite(distance)) return "NA";
    const bool is_identity = unit == DistanceUnit::percent_identity;
    char digits[64];
    const auto end =
        std::to_chars(digits, digits + sizeof digits, is_identity ? 100 * (1 - distance) : distance,
                      std::chars_format::fixed, decimals());
    return std::string(digits, end.ptr);
  }

  int decimals() const {
    switch (unit) {
      case DistanceUnit::distance:
        return 6;
      case DistanceUnit::percent_identity:
        return 3;
      case DistanceUnit::count:
        return 0;
    }
    return 0;
  }
};

/// Appends the texts of all rows in order. Several threads format the rows.
template <class RowText>
void append_rows(std::string& text, std::size_t rows, const RowText& row_text) {
  constexpr std::size_t kPart = 256;  // rows that are in memory twice
  for (std::size_t first = 0; first < rows; first += kPart) {
    std::vector<std::string> part(std::min(kPart, rows - first));
    parallel_for(part.size(), [&](std::size_t k, int) { part[k] = row_text(first + k); });
    for (const std::string& row : part) text += row;
  }
}

std::string format_phylip(const Figures& figures, bool is_lower) {
  constexpr std::size_t kNarrowest = 10;  // as in strict PHYLIP, so that short names work there
  const SequenceSet& set = figures.set;
  const std::vector<std::string> names = unique_names(set);
  std::size_t width = kNarrowest;
  for (const std::string& name : names) width = std::max(width, display_width(name));
  std::string text = std::to_string(set.size()) + "\n";
  const std::size_t values = set.size() * set.size() / (is_lower ? 2 : 1);
  text.reserve(text.size() + set.size() * (width + 1) + values * kValueBytes);
  append_rows(text, set.size(), [&](std::size_t k) {
    std::string row = names[k] + std::string(width - display_width(names[k]), ' ');
    for (std::size_t l = 0; l < (is_lower ? k : set.size()); ++l) {
      row += ' ';
      row += figures.at(k, l);
    }
    return row + '\n';
  });
  return text;
}

std::string csv_field(const std::string& name) {
  if (name.find_first_of(",\"") == name.npos) return name;
  std::string field(1, '"');
  for (char c : name) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

std::string format_table(const Figures& figures, char separator) {
  const SequenceSet& set = figures.set;
  std::vector<std::string> names = whole_names(set);
  if (separator == ',') std::transform(names.begin(), names.end(), names.begin(), csv_field);
  std::string text = "name";
  for (const std::string& name : names) text += separator + name;
  text.reserve(2 * (text.size() + set.size()) + set.size() * set.size() * kValueBytes);
  text += '\n';
  append_rows(text, set.size(), [&](std::size_t k) {
    std::string row = names[k];
    for (std::size_t l = 0; l < set.size(); ++l) {
      row += separator;
      row += figures.at(k, l);
    }
    return row + '\n';
  });
  return text;
}

std::string format_pairs(const Figures& figures) {
  constexpr std::array<std::string_view, 3> kUnits = {"distance", "identity", "differences"};
  const SequenceSet& set = figures.set;
  const std::vector<std::string> names = whole_names(set);
  std::string text = "first\tsecond\t";
  text.append(kUnits[static_cast<std::size_t>(figures.unit)]) += '\n';
  append_rows(text, set.size(), [&](std::size_t k) {
    std::string lines;
    for (std::size_t l = k + 1; l < set.size(); ++l) {
      lines.append(names[k]).append("\t").append(names[l]).append("\t");
      lines.append(figures.at(k, l)) += '\n';
    }
    return lines;
  });
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
  const std::string name = lower_case(without_packing_suffix(path));
  if (name.ends_with(".tsv")) return DistanceFormat::tsv;
  if (name.ends_with(".csv")) return DistanceFormat::csv;
  return DistanceFormat::phylip;
}

std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set,
                             DistanceFormat format, DistanceUnit unit) {
  const Figures figures{distances, set, unit};
  switch (format) {
    case DistanceFormat::phylip:
      return format_phylip(figures, false);
    case DistanceFormat::phylip_lower:
      return format_phylip(figures, true);
    case DistanceFormat::tsv:
      return format_table(figures, '\t');
    case DistanceFormat::csv:
      return format_table(figures, ',');
    case DistanceFormat::pairs:
      return format_pairs(figures);
  }
  return {};
}

}  // namespace accord
