// SPDX-License-Identifier: Apache-2.0
#include "accord/io/record_builder.hpp"
#include "accord/io/text_input.hpp"
#include "format_texts.hpp"

namespace accord {
namespace {

constexpr std::string_view kHeader = "# STOCKHOLM 1.0";
constexpr std::string_view kEnd = "//";

/// What stands after the name in a header; empty if there is nothing.
std::string_view description_of(std::string_view header) {
  take_word(header);
  return trimmed(header);
}

}  // namespace

std::vector<SequenceRecord> parse_stockholm(std::string_view text, const std::string& label,
                                            OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  LineReader reader(text);
  // Descriptions may stand above the rows that they belong to.
  std::vector<std::pair<std::string_view, std::string_view>> descriptions;
  bool is_ended = false;
  while (reader.next()) {
    std::string_view line = trimmed(reader.line());
    if (line.empty()) continue;
    if (is_ended) {
      throw line_error(label, reader.number(), "a second alignment in one file",
                       "give each family a file of its own");
    }
    if (line == kEnd) {
      is_ended = true;
    } else if (line.starts_with("#=GS")) {
      take_word(line);
      const std::string_view name = take_word(line);
      if (take_word(line) == "DE") descriptions.emplace_back(name, trimmed(line));
    } else if (line[0] != '#') {
      const std::string_view name = take_word(line);
      builder.add(name);
      builder.append(name, line, reader.number());
    }
  }
  for (const auto& [name, description] : descriptions) builder.describe(name, description);
  return builder.finish();
}

std::string format_stockholm(const AlignmentText& alignment, std::size_t wrap) {
  constexpr std::string_view kRowMark = "#=GR ", kRowTag = " PP", kColumnMark = "#=GC PP_cons";
  const bool has_codes = !alignment.posterior_codes.empty();
  std::size_t width = longest_name(alignment);
  if (has_codes) {
    width = std::max(width + kRowMark.size() + kRowTag.size(), kColumnMark.size());
  }
  ++width;
  std::string text = std::string(kHeader) + "\n";
  if (has_codes) text += "#=GF CC PP: posterior probability of the aligned pairs, HMMER's code\n";
  text += '\n';
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    const std::string_view description = description_of(alignment.headers[r]);
    if (description.empty()) continue;
    text += "#=GS " + alignment.names[r] + " DE " + std::string(description) + "\n";
  }
  const std::size_t step = wrap == 0 ? std::max<std::size_t>(alignment.columns, 1) : wrap;
  // A family without residues still has rows, and a row needs a line.
  for (std::size_t c = 0; c < std::max<std::size_t>(alignment.columns, 1); c += step) {
    if (c > 0) text += '\n';
    for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
      text += padded(alignment.names[r], width) + alignment.rows[r].substr(c, step) + "\n";
      if (!has_codes) continue;
      text += padded(std::string(kRowMark) + alignment.names[r] + std::string(kRowTag), width) +
              alignment.posterior_codes[r].substr(c, step) + "\n";
    }
    if (has_codes) {
      text +=
          padded(std::string(kColumnMark), width) + alignment.column_codes.substr(c, step) + "\n";
    }
  }
  return text + std::string(kEnd) + "\n";
}

}  // namespace accord
