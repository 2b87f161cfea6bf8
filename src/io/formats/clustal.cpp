// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>
#include <unordered_map>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// One character per column: `*` if all rows have the same letter there, else a blank.
std::string conservation(const AlignmentText& alignment) {
  const auto upper = [](char c) { return std::toupper(static_cast<unsigned char>(c)); };
  std::string marks(alignment.rows.empty() ? 0 : alignment.columns, '*');
  for (const std::string& row : alignment.rows) {
    for (std::size_t c = 0; c < marks.size(); ++c) {
      if (row[c] == '-' || upper(row[c]) != upper(alignment.rows[0][c])) marks[c] = ' ';
    }
  }
  return marks;
}

}  // namespace

bool looks_like_clustal(std::string_view first_line) {
  constexpr std::array<std::string_view, 6> kWriters = {"CLUSTAL",  "MUSCLE", "PROBCONS",
                                                        "MSAPROBS", "Kalign", "Biopython"};
  return std::any_of(kWriters.begin(), kWriters.end(),
                     [&](std::string_view word) { return first_line.starts_with(word); });
}

std::vector<SequenceRecord> parse_clustal(std::string_view text, const std::string& label,
                                          OddCharacters* left_out) {
  constexpr std::string_view kDigits = "0123456789";
  RecordBuilder builder(label, left_out);
  LineReader reader(text);
  std::unordered_map<std::string, std::size_t> last_block;
  std::size_t block = 0;
  bool header_seen = false;
  while (reader.next()) {
    std::string_view line = reader.line();
    if (is_blank(line)) {
      ++block;
    } else if (!header_seen) {
      header_seen = true;
    } else if (!is_white_space(line[0])) {  // else a conservation line
      const std::string_view name = take_word(line);
      const std::string_view letters = take_word(line);
      const std::string_view count = take_word(line);
      builder.add(name);
      if (!last_block.emplace(name, block).second) {
        std::size_t& last = last_block.at(std::string(name));
        if (last == block) throw two_rows_error(label, reader.number(), name);
        last = block;
      }
      builder.append(name, letters, reader.number());
      if (count.find_first_not_of(kDigits) != count.npos || !is_blank(line)) {
        throw line_error(label, reader.number(), "not CLUSTAL: more than a name and letters",
                         "a line has a name, letters and perhaps their count");
      }
    }
  }
  return builder.finish();
}

std::string format_clustal(const AlignmentText& alignment, std::size_t wrap) {
  constexpr std::size_t kNarrowest = 12, kSpace = 4;
  const std::size_t name_width = std::max(longest_name(alignment), kNarrowest) + kSpace;
  const std::string marks = conservation(alignment);
  const std::size_t step = wrap == 0 ? std::max<std::size_t>(marks.size(), 1) : wrap;

  std::string text = "CLUSTAL accord " ACCORD_VERSION " multiple sequence alignment\n\n";
  for (std::size_t c = 0; c < marks.size(); c += step) {
    text += '\n';
    for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
      text += padded(alignment.names[r], name_width);
      text.append(alignment.rows[r], c, step);
      text += '\n';
    }
    text.append(name_width, ' ');
    text.append(marks, c, step);
    text += '\n';
  }
  return text;
}

}  // namespace accord
