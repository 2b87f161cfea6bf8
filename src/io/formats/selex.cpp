// SPDX-License-Identifier: Apache-2.0
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// A line of a block: a name and, somewhere behind it, letters.
struct Line {
  std::string_view name, text;
  std::size_t begin, end;  ///< columns of the letters in the line
  std::size_t number;
};

/// Appends a block. Its columns are those between the first and the last letter of all lines, so
/// that blanks there are gaps.
void append_block(RecordBuilder& builder, const std::vector<Line>& block,
                  const std::string& label) {
  const bool is_first = builder.size() == 0;
  std::size_t begin = std::string_view::npos, end = 0;
  for (const Line& line : block) {
    begin = std::min(begin, line.begin);
    end = std::max(end, line.end);
  }
  begin = std::min(begin, end);
  for (const Line& line : block) {
    if (is_first && !builder.add(line.name)) throw two_rows_error(label, line.number, line.name);
    if (!builder.has(line.name)) {
      throw line_error(label, line.number, "row " + quote(line.name) + " is not in the first block",
                       "every block of a SELEX file has the same rows");
    }
    std::string letters(line.text.substr(std::min(begin, line.text.size()), end - begin));
    letters.resize(end - begin, '-');
    for (char& c : letters) {
      if (c == ' ' || c == '_') c = '-';
    }
    builder.append(line.name, letters, line.number);
  }
}

}  // namespace

std::vector<SequenceRecord> parse_selex(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  std::vector<Line> block;
  const auto flush = [&] {
    if (!block.empty()) append_block(builder, block, label);
    block.clear();
  };
  for (LineReader reader(text); reader.next();) {
    std::string_view line = reader.line();
    if (is_blank(line)) {
      flush();
    } else if (line[0] != '#' && line[0] != '%') {  // else markup or a comment
      const std::string_view whole = line, name = take_word(line);
      const std::string_view letters = trimmed(line);
      const auto begin = static_cast<std::size_t>(letters.data() - whole.data());
      block.push_back(letters.empty()
                          ? Line{name, whole, whole.npos, 0, reader.number()}
                          : Line{name, whole, begin, begin + letters.size(), reader.number()});
    }
  }
  flush();
  return builder.finish_aligned();
}

}  // namespace accord
