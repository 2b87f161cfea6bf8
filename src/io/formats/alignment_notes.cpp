// SPDX-License-Identifier: Apache-2.0
// Collects what files contain about an alignment besides its rows.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/files/reading_memory.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

bool is_marked(AlignmentFormat format) {
  return format == AlignmentFormat::a2m || format == AlignmentFormat::a3m;
}

std::optional<ResidueType> json_type(std::string_view text) {
  const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object() || !json.contains("type")) return std::nullopt;
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (json["type"] == std::string(to_string(type))) return type;
  }
  return std::nullopt;
}

/// Reads the confidence that accord writes. Values that do not fit the rows are ignored.
void add_json_confidence(std::string_view text, const std::vector<SequenceRecord>& rows,
                         AlignmentNotes& notes) {
  const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object() || !json.contains("sequences")) return;
  std::size_t codes = 0;
  std::vector<std::string> of_rows;
  for (const nlohmann::json& sequence : json["sequences"]) {
    const auto code = sequence.find("posterior_code");
    const bool has_code = code != sequence.end() && code->is_string();
    of_rows.push_back(has_code ? code->get<std::string>() : "");
    codes += has_code;
    const std::size_t columns = rows[of_rows.size() - 1].letters.size();
    if (has_code && of_rows.back().size() != columns) return;
  }
  const auto columns = json.find("column_confidence");
  const bool has_columns = columns != json.end() && columns->is_array() && !rows.empty() &&
                           columns->size() == rows[0].letters.size();
  if (codes == 0 || !has_columns) return;
  for (const nlohmann::json& number : *columns) {
    notes.column_confidence.push_back(number.is_number() ? number.get<float>()
                                                         : std::numeric_limits<float>::quiet_NaN());
  }
  notes.posterior_codes = std::move(of_rows);
  notes.markup.others.emplace_back(kConfidenceNote);
}

}  // namespace

std::optional<ResidueType> declared_type(std::string_view text, AlignmentFormat format,
                                         const std::string& label) {
  switch (format) {
    case AlignmentFormat::nexus:
      return nexus_type(text, label);
    case AlignmentFormat::msf:
      return msf_type(text);
    case AlignmentFormat::pir:
      return pir_type(text);
    case AlignmentFormat::json:
      return json_type(text);
    case AlignmentFormat::genbank:
      return flat_file_type(text, false);
    case AlignmentFormat::embl:
      return flat_file_type(text, true);
    default:
      return std::nullopt;
  }
}

AlignmentNotes parse_notes(std::string_view text, AlignmentFormat format, const std::string& label,
                           const std::vector<SequenceRecord>& rows) {
  AlignmentNotes notes;
  if (format == AlignmentFormat::json) {
    check_reading(text.size() + parsing_bytes(text, format), label, "the values of the text");
  } else if (format == AlignmentFormat::stockholm || format == AlignmentFormat::selex) {
    constexpr std::size_t kOfLine = 2 * sizeof(StockholmMarkup::Columns) + 128;
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    check_reading(2 * text.size() + kOfLine * lines, label, "the lines of markup");
  }
  if (format == AlignmentFormat::stockholm) {
    notes.markup = parse_stockholm_markup(text, label);
  } else if (is_marked(format)) {
    notes = marked_notes(text, label, rows);
  } else if (format == AlignmentFormat::nexus) {
    const std::string blocks = other_nexus_blocks(text, label);
    if (!blocks.empty()) notes.markup.others.push_back("NEXUS blocks (" + blocks + ")");
  } else if (format == AlignmentFormat::selex) {
    notes.markup = parse_selex_markup(text, label);
  } else if (format == AlignmentFormat::clustal) {
    const std::size_t lines = clustal_markup(text);
    if (lines > 0) notes.markup.others.push_back(std::to_string(lines) + " '!' of CLUSTAL X");
  } else if (format == AlignmentFormat::msf) {
    if (has_msf_weights(text)) notes.markup.others.emplace_back("weights of MSF");
  } else if (format == AlignmentFormat::json) {
    add_json_confidence(text, rows, notes);
  }
  if (format != AlignmentFormat::stockholm && format != AlignmentFormat::selex) return notes;
  if (const auto* line = notes.markup.columns_tagged(kReferenceTag)) {
    notes.match_columns = reference_columns(line->text);
  }
  return notes;
}

std::string lost_in(AlignmentFormat format, const AlignmentNotes& notes) {
  StockholmMarkup lost = notes.markup;
  if (shows_confidence(format)) std::erase(lost.others, kConfidenceNote);
  if (format == AlignmentFormat::stockholm) {
    StockholmMarkup rest;
    rest.head = std::move(lost.head);
    rest.others = std::move(lost.others);
    return rest.counted();
  }
  if (is_marked(format)) {
    lost.head.clear();
    std::erase_if(lost.of_columns, [](const StockholmMarkup::Columns& line) {
      // RF lines with letters, such as a consensus, are lost; RF lines of marks are kept.
      const bool is_marks = line.text.find_first_not_of("xX.-_~") == std::string::npos;
      return (line.tag == kReferenceTag && is_marks) || is_column_row(line.tag);
    });
    return lost.counted();
  }
  // RF marks the match columns.
  const auto& matches = notes.match_columns;
  const bool has_inserts = std::find(matches.begin(), matches.end(), false) != matches.end();
  std::string text = lost.counted();
  const bool has_reference = lost.columns_tagged(kReferenceTag) != nullptr;
  if (!has_inserts || has_reference) return text;
  return text + (text.empty() ? "" : ", ") + "which columns are match columns";
}

}  // namespace accord
