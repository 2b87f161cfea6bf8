// SPDX-License-Identifier: Apache-2.0
// What files say of an alignment beside its rows.
#include <nlohmann/json.hpp>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

bool is_marked(AlignmentFormat format) {
  return format == AlignmentFormat::a2m || format == AlignmentFormat::a3m;
}

/// Lines of SELEX that are markup.
std::size_t selex_markup(std::string_view text) {
  std::size_t lines = 0;
  for (LineReader reader(text); reader.next();) lines += reader.line().starts_with("#=");
  return lines;
}

/// The confidence that accord writes, as the markup that Stockholm has it in.
StockholmMarkup json_markup(std::string_view text) {
  StockholmMarkup markup;
  const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json.is_object() || !json.contains("sequences")) return markup;
  std::size_t codes = json.contains("column_confidence");
  for (const nlohmann::json& sequence : json["sequences"]) {
    codes += sequence.contains("posterior_code");
  }
  if (codes > 0) markup.others.emplace_back("confidence");
  return markup;
}

}  // namespace

AlignmentNotes parse_notes(std::string_view text, AlignmentFormat format, const std::string& label,
                           const std::vector<SequenceRecord>& rows) {
  AlignmentNotes notes;
  if (format == AlignmentFormat::stockholm) {
    notes.markup = parse_stockholm_markup(text, label);
    if (const auto* line = notes.markup.columns_tagged(kReferenceTag)) {
      notes.match_columns = reference_columns(line->text);
    }
  } else if (is_marked(format)) {
    notes = marked_notes(text, label, rows);
  } else if (format == AlignmentFormat::nexus) {
    const std::string blocks = other_nexus_blocks(text, label);
    if (!blocks.empty()) notes.markup.others.push_back("NEXUS blocks (" + blocks + ")");
  } else if (format == AlignmentFormat::selex) {
    const std::size_t lines = selex_markup(text);
    if (lines > 0) notes.markup.others.push_back(std::to_string(lines) + " lines of SELEX markup");
  } else if (format == AlignmentFormat::json) {
    notes.markup = json_markup(text);
  }
  return notes;
}

std::string lost_in(AlignmentFormat format, const AlignmentNotes& notes) {
  StockholmMarkup lost = notes.markup;
  if (format == AlignmentFormat::stockholm) {
    StockholmMarkup rest;
    rest.head = std::move(lost.head);
    rest.others = std::move(lost.others);
    return rest.counted();
  }
  if (is_marked(format)) {
    lost.head.clear();
    std::erase_if(lost.of_columns, [](const StockholmMarkup::Columns& line) {
      return line.tag == kReferenceTag || is_column_row(line.tag);
    });
    return lost.counted();
  }
  // RF is what marks the match columns.
  const auto& matches = notes.match_columns;
  const bool has_inserts = std::find(matches.begin(), matches.end(), false) != matches.end();
  std::string text = lost.counted();
  const bool is_said = lost.columns_tagged(kReferenceTag) != nullptr;
  if (!has_inserts || is_said) return text;
  return text + (text.empty() ? "" : ", ") + "which columns are match columns";
}

}  // namespace accord
