// SPDX-License-Identifier: Apache-2.0
#include "run/report/html_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/packing.hpp"
#include "io/files/sha256.hpp"
#include "method/large/representatives.hpp"
#include "tools/codons.hpp"
#include "tools/columns.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;

double rounded(double value, double parts) { return std::round(value * parts) / parts; }

/// The tree with the row of each leaf, by canonical index of the sequence.
ordered_json tree_json(const GuideTree& tree) {
  std::vector<std::uint32_t> row(tree.leaves);
  const std::vector<std::uint32_t> order = leaves_in_order(tree);
  for (std::uint32_t r = 0; r < order.size(); ++r) row[order[r]] = r;
  std::vector<double> lengths;
  for (const double length : with_branch_lengths(tree).length) {
    lengths.push_back(rounded(length, 1e4));
  }
  return {{"row", row}, {"left", tree.left}, {"right", tree.right}, {"length", lengths}};
}

/// Values with six decimals, enough to trim columns as accord trim does; null for NaN.
ordered_json values_json(const std::vector<float>& values) {
  ordered_json columns = ordered_json::array();
  for (const float probability : values) {
    if (std::isnan(probability)) {
      columns.push_back(nullptr);
    } else {
      columns.push_back(rounded(probability, 1e6));
    }
  }
  return columns;
}

ordered_json tracks_json(const std::vector<PageTrack>& tracks) {
  ordered_json list = ordered_json::array();
  for (const PageTrack& track : tracks) {
    list.push_back(
        {{"name", utf8_texts({track.name}).front()}, {"values", values_json(track.values)}});
  }
  return list;
}

/// Rows or columns of an alignment as texts, with the codes of their residues.
struct PageLines {
  explicit PageLines(std::size_t count) : texts(count), codes(count), ends(count) {}

  /// Appends a residue at a place of a line, behind those that it has.
  void add(std::size_t line, std::size_t place, char residue) {
    add_gaps(line, place);
    texts[line] += residue;
    ends[line] = place + 1;
  }
  /// Appends gaps up to a place; a number stands for that number of gaps, three or more.
  void add_gaps(std::size_t line, std::size_t end) {
    const std::size_t gaps = end - ends[line];
    texts[line] += gaps < 3 ? std::string(gaps, '-') : std::to_string(gaps);
    ends[line] = end;
  }

  std::vector<std::string> texts, codes;
  std::vector<std::size_t> ends;  ///< the places that each line has
};

PageLines row_lines(const AlignmentText& alignment) {
  PageLines lines(alignment.rows.size());
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string_view residues = alignment.rows.residues(r);
    const std::span<const std::uint32_t> column_of = alignment.rows.column_of(r);
    for (std::size_t i = 0; i < residues.size(); ++i) lines.add(r, column_of[i], residues[i]);
    lines.add_gaps(r, alignment.columns);
    if (alignment.has_codes(r)) lines.codes[r] = *alignment.residue_codes[r];
  }
  return lines;
}

PageLines column_lines(const AlignmentText& alignment) {
  PageLines lines(alignment.columns);
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string_view residues = alignment.rows.residues(r);
    const std::span<const std::uint32_t> column_of = alignment.rows.column_of(r);
    for (std::size_t i = 0; i < residues.size(); ++i) {
      lines.add(column_of[i], r, residues[i]);
      lines.codes[column_of[i]] += alignment.has_codes(r) ? (*alignment.residue_codes[r])[i] : '.';
    }
  }
  return lines;
}

/// The data that differ between the alignments of one page: rows or columns, codes of the residues,
/// values of the columns.
ordered_json alignment_json(const AlignmentText& alignment, double mean,
                            const std::vector<PageTrack>& tracks, bool by_columns) {
  PageLines lines = by_columns ? column_lines(alignment) : row_lines(alignment);
  if (alignment.residue_codes.empty()) lines.codes.clear();
  ordered_json json = {
      {"columns", alignment.columns},    {by_columns ? "byColumn" : "rows", std::move(lines.texts)},
      {"codes", std::move(lines.codes)}, {"confidence", values_json(alignment.column_confidence)},
      {"tracks", tracks_json(tracks)},   {"mean", nullptr}};
  if (!std::isnan(mean)) json["mean"] = mean;
  return json;
}

ordered_json groups_json(const PageGroups& groups) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < groups.is_core.size(); ++r) {
    if (groups.is_core[r]) rows.push_back(r);
  }
  return {{"core", groups.core}, {"rest", groups.rest}, {"rows", rows}};
}

std::string embedded_text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// JSON text without `<`, so that it cannot end the element of the page in which it stands.
std::string embedded(const ordered_json& json) {
  const std::string text = embedded_text(json);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// A directive with the checksums of the texts of all elements `<NAME>` with these attributes;
/// empty if there are none.
std::string directive_of(std::string_view page, const std::string& name,
                         const std::string& attributes = {}) {
  const std::string begin = "<" + name + attributes + ">", end = "</" + name + ">";
  std::string sources;
  for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at)) {
    at += begin.size();
    const std::string_view text = page.substr(at, page.find(end, at) - at);
    sources += " 'sha256-" + sha256_base64(text) + "'";
  }
  return sources.empty() ? "" : "; " + name + "-src" + sources;
}

/// The lines of markup with a character per column: of the alignment, and, with `row`, of rows.
ordered_json lines_json(const AlignmentText& text) {
  ordered_json lines = ordered_json::array();
  for (const StockholmMarkup::Columns& line : text.markup.of_columns) {
    if (line.text.size() == text.columns) lines.push_back({{"tag", line.tag}, {"text", line.text}});
  }
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t r = 0; r < text.names.size(); ++r) row_of.emplace(text.names[r], r);
  for (const StockholmMarkup::Columns& line : text.markup.of_residues) {
    const auto row = row_of.find(line.name);
    if (row == row_of.end() || line.text.size() != text.columns) continue;
    lines.push_back({{"tag", line.tag}, {"text", line.text}, {"row", row->second}});
  }
  return lines;
}

}  // namespace

std::string page_data(const AlignmentText& alignment, const PageParts& parts) {
  ordered_json data = {{"title", parts.title},
                       {"name", utf8_texts({parts.name}).front()},
                       {"type", to_string(alignment.type)},
                       {"names", utf8_texts(alignment.names)},
                       {"headers", utf8_texts(alignment.headers)},
                       {"measure", parts.measure.name},
                       {"tree", nullptr},
                       {"groups", nullptr},
                       {"lines", lines_json(alignment)},
                       {"part", parts.is_part},
                       {"confidenceOfTrim", parts.is_confidence_of_trim},
                       {"report", parts.report}};
  std::size_t residues = alignment.rows.residue_count();
  for (const PageAlternative& other : parts.others)
    residues += other.alignment.rows.residue_count();
  const bool is_packed = residues > kMostPlainResidues;
  data.update(alignment_json(alignment, parts.mean, parts.measure.tracks, is_packed));
  if (parts.tree != nullptr) data["tree"] = tree_json(*parts.tree);
  if (parts.groups) data["groups"] = groups_json(*parts.groups);
  if (!parts.measure.meaning.empty()) data["meaning"] = parts.measure.meaning;
  for (const PageAlternative& other : parts.others) {
    ordered_json json = alignment_json(other.alignment, other.mean, other.tracks, is_packed);
    json["name"] = utf8_texts({other.name}).front();
    data["others"].push_back(std::move(json));
  }
  if (alignment.type != ResidueType::protein && alignment.columns % 3 == 0) {
    data["translation"] = parts.translation;
    for (const NamedCode& code : named_codes()) {
      data["geneticCodes"].push_back(
          {{"number", code.number}, {"name", code.name}, {"amino", code.amino_acids}});
    }
  }
  if (!is_packed) return embedded(data);
  const std::string packed = pack(Packing::gzip, embedded_text(data));
  return embedded({{"title", parts.title}, {"packed", base64(packed)}});
}

std::string page_of_data(const std::vector<std::string>& data) {
  std::string joined;
  for (const std::string& one : data) joined += (joined.empty() ? "" : ",") + one;
  if (data.size() > 1) joined = "[" + joined + "]";
  constexpr std::string_view kPlace = "@DATA@";
  std::string page = with_content_policy(std::string(alignment_page()));
  const std::size_t at = page.find(kPlace);
  if (at == page.npos) throw Error(ErrorKind::internal, "the page has no place for its data");
  return page.replace(at, kPlace.size(), joined);
}

std::string with_content_policy(std::string page) {
  constexpr std::string_view kPlace = "@POLICY@";
  const std::size_t at = page.find(kPlace);
  if (at == page.npos) throw Error(ErrorKind::internal, "the page has no place for its policy");
  const std::string policy = "default-src 'none'" +
                             directive_of(page, "script", " type=\"module\"") +
                             directive_of(page, "style") + "; base-uri 'none'; form-action 'none'";
  return page.replace(at, kPlace.size(), policy);
}

std::size_t residue_count(const Msa& msa) {
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& row : msa.column_of) count += row.size();
  return count;
}

std::vector<std::size_t> representative_rows(const SequenceSet& set, std::size_t count) {
  std::vector<std::uint32_t> all(set.size());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<std::uint32_t> members = select_representatives(set, all, count);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (std::ranges::binary_search(members, set.from_input(k))) rows.push_back(k);
  }
  return rows;
}

void take_rows(AlignmentText& text, const std::vector<std::size_t>& rows) {
  take_places(text.headers, rows);
  take_places(text.names, rows);
  take_places(text.whole_names, rows);
  take_places(text.residue_codes, rows);
  const GappedRows given = std::move(text.rows);
  text.rows = GappedRows(text.columns);
  for (const std::size_t r : rows) text.rows.add(given.residues(r), given.column_of(r));
}

AlignmentText with_rows(AlignmentText text, const std::vector<std::size_t>& rows) {
  take_rows(text, rows);
  keep_columns(text,
               passing_columns(text, {.most_gaps = 1 - 0.5 / static_cast<double>(rows.size())}));
  return text;
}

}  // namespace accord
