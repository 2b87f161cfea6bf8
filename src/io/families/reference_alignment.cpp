// SPDX-License-Identifier: Apache-2.0
#include "io/families/reference_alignment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_set>

#include "base/text.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/named_alignments.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

Error complaint(const std::string& label, const std::string& text,
                const std::string& hint = "all rows of an alignment have the same length") {
  return Error(ErrorKind::bad_input, label + ": " + text, hint);
}

/// Converts records to rows. Throws if they are not an alignment.
AlignedRows rows_of(std::vector<SequenceRecord> records, const std::string& label) {
  // Also the column of each residue, by which alignments are compared.
  constexpr std::size_t kCopies = 1 + sizeof(std::uint32_t);
  count_reading(record_bytes(records), label, counted(records.size(), "row"));
  check_reading(kCopies * record_bytes(records), label, counted(records.size(), "row"));
  AlignedRows result;
  result.source = label;
  std::unordered_set<std::string_view> names;
  for (SequenceRecord& record : records) {
    const std::string_view name = record.name();
    if (!names.insert(name).second) {
      throw complaint(label, "two rows are named " + quote(name), "rows are matched by name");
    }
    result.names.emplace_back(name);
    result.rows.push_back(std::move(record.letters));
    std::replace(result.rows.back().begin(), result.rows.back().end(), '.', '-');
    if (result.rows.back().size() == result.rows[0].size()) continue;
    throw complaint(label, "not aligned: row " + quote(name) + " has " +
                               counted(result.rows.back().size(), "column") + ", row " +
                               quote(result.names[0]) + " has " +
                               std::to_string(result.rows[0].size()));
  }
  return result;
}

/// Marks the columns with upper-case letters as core columns, if the alignment has letters of both
/// cases.
void mark_upper_case_columns(AlignedRows& alignment) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::size_t columns = alignment.rows[0].size();
  std::vector<bool> upper(columns), lower(columns);
  for (const std::string& row : alignment.rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (is_upper(row[c])) upper[c] = true;
      if (is_lower(row[c])) lower[c] = true;
    }
  }
  const bool any_upper = std::find(upper.begin(), upper.end(), true) != upper.end();
  const bool any_lower = std::find(lower.begin(), lower.end(), true) != lower.end();
  if (!any_upper || !any_lower) return;
  for (std::size_t c = 0; c < columns; ++c) {
    if (!upper[c] || !lower[c]) continue;
    throw Error(ErrorKind::bad_input,
                alignment.source + ": column " + std::to_string(c + 1) +
                    " of the reference has letters of both cases",
                "upper case marks the columns that are scored; write all letters of a reference "
                "in upper case to score all columns");
  }
  alignment.core_columns = std::move(upper);
}

/// The columns of an XML alignment whose `coreblock` score is 1; empty if it has no such scores.
std::vector<bool> core_blocks(const pugi::xml_node& alignment, std::size_t columns,
                              const std::string& label) {
  std::vector<bool> core;
  for (const pugi::xml_node& score : alignment.children("column-score")) {
    std::string_view name = score.child_value("colsco-name");
    if (take_word(name) != "coreblock") continue;
    std::string_view values = score.child_value("colsco-data");
    while (!is_blank(values)) core.push_back(take_word(values) == "1");
    if (core.size() != columns) {
      throw complaint(label, "there are " + std::to_string(core.size()) + " coreblock scores for " +
                                 counted(columns, "column"));
    }
    break;
  }
  return core;
}

/// The number of the line with the byte at `offset`, from 1; 1 if the offset is negative, that is,
/// unknown.
std::size_t line_of(std::string_view text, std::ptrdiff_t offset) {
  const std::string_view before =
      text.substr(0, static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

AlignedRows parse_xml(std::string_view text, const std::string& label) {
  constexpr std::size_t kOfMark = 128;  // elements and their attributes
  const auto marks = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c == '<' || c == '='; }));
  const ReadingHold held(3 * text.size() + kOfMark * marks, label, "the elements of the text");
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    throw line_error(label, line_of(text, parsed.offset),
                     std::string("not valid XML: ") + parsed.description());
  }
  const pugi::xml_node alignment = document.child("macsim").child("alignment");
  if (!alignment) throw complaint(label, "not a BAliBASE alignment: no macsim/alignment element");
  RecordBuilder builder(label);
  std::ptrdiff_t place = 0;  // up to which lines are counted
  std::size_t line = 1;
  for (const pugi::xml_node& sequence : alignment.children("sequence")) {
    std::string_view text_of_name = sequence.child_value("seq-name");
    const std::string_view name = take_word(text_of_name);
    const pugi::xml_node data = sequence.child("seq-data");
    if (const std::ptrdiff_t offset = data.offset_debug(); offset > place) {
      line +=
          static_cast<std::size_t>(std::count(text.begin() + place, text.begin() + offset, '\n'));
      place = offset;
    }
    if (!builder.add(name)) throw two_rows_error(label, line, name);
    builder.append(name, data.child_value(), line);
  }
  AlignedRows result = rows_of(builder.finish(), label);
  result.core_columns = core_blocks(alignment, result.rows[0].size(), label);
  return result;
}

/// The rows of a text; `label` names it in messages.
AlignedRows parse_rows(std::string_view text, const std::string& label, bool is_reference) {
  LineReader reader(text);
  while (reader.next() && is_blank(reader.line())) {
  }
  const std::string_view line = trimmed(reader.line());
  if (line.empty()) throw complaint(label, "the file is empty", "is it the right file?");
  if (line[0] == '<') {
    AlignedRows result = parse_xml(text, label);
    if (!is_reference) result.core_columns.clear();
    return result;
  }
  const std::optional<AlignmentFormat> format = detect_format(text, label);
  if (!format) {
    throw line_error(label, reader.number(), "not an alignment in a known format: " + quote(line),
                     "alignments are read as " + readable_formats() + ", EFA or BAliBASE XML");
  }
  AlignedRows result = rows_of(parse_records(text, *format, label), label);
  if (is_reference && *format == AlignmentFormat::fasta) mark_upper_case_columns(result);
  return result;
}

AlignedRows read_rows(const std::string& path, bool is_reference) {
  const std::string text = read_text(path);
  const LabelledText one = text_of_alignment(text, input_label(path), "");
  return parse_rows(one.text, one.label, is_reference);
}

}  // namespace

AlignedRows read_alignment(const std::string& path) { return read_rows(path, false); }

AlignedRows read_reference_alignment(const std::string& path) { return read_rows(path, true); }

std::vector<AlignedRows> read_alignments(const std::string& path) {
  const std::string label = input_label(path), text = read_text(path);
  std::vector<AlignedRows> alignments;
  for (const NamedAlignment& one : alignments_in(text)) {
    alignments.push_back(parse_rows(one.text, label + ":" + one.name, false));
  }
  if (alignments.empty()) alignments.push_back(parse_rows(text, label, false));
  return alignments;
}

}  // namespace accord
