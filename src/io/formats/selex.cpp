// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>

#include "base/text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

/// A line of a block: a name, or a mark such as `#=SS`, then blanks, then a character for each
/// column.
struct SelexLine {
  std::string_view name, text;
  std::size_t begin, end;  ///< columns of the letters in the line
  std::size_t number;
};

/// A block: its rows and its markup, in order. Its columns reach from the first to the last letter
/// of all rows; blanks within them are gaps.
struct Block {
  std::vector<SelexLine> lines;
  std::size_t begin = std::string_view::npos, end = 0;

  /// The characters of a line in the columns of the block, with `blank` for blanks. A mark may be
  /// longer than the names and reach into the columns; then the characters are those behind the
  /// mark.
  std::string columns_of(const SelexLine& line, char blank) const {
    const std::size_t first = line.name.size() < begin ? begin : line.begin;
    std::string letters(line.text.substr(std::min(first, line.text.size()), end - begin));
    letters.resize(end - begin, blank);
    std::replace_if(letters.begin(), letters.end(), is_white_space, blank);
    return letters;
  }
};

/// White space without a fixed width, unlike ' '.
constexpr std::string_view kOtherBlanks = "\t\v\f\r";

bool is_markup(std::string_view name) { return name.starts_with("#="); }

/// Whether a mark is for the columns of a block; other marks are for the file or for a row.
bool has_columns(std::string_view mark) {
  return mark == "#=RF" || mark == "#=CS" || mark == "#=SS" || mark == "#=SA";
}

SelexLine line_of(std::string_view line, std::size_t number) {
  const std::string_view whole = line, name = take_word(line);
  const std::string_view letters = trimmed(line);
  if (letters.empty()) return {name, whole, whole.npos, 0, number};
  const auto begin = static_cast<std::size_t>(letters.data() - whole.data());
  return {name, whole, begin, begin + letters.size(), number};
}

/// Calls `on_block` for each block with rows, and `on_markup` for each line of markup without
/// columns.
/// Throws  Error{bad_input} for rows behind the end of the alignment.
void walk(std::string_view text, const std::string& label,
          const std::function<void(const Block&)>& on_block,
          const std::function<void(std::string_view, std::string_view)>& on_markup) {
  Block block;
  bool is_ended = false;
  const auto flush = [&] {
    block.begin = std::min(block.begin, block.end);
    if (!block.lines.empty()) on_block(block);
    block = {};
  };
  for (LineReader reader(text); reader.next();) {
    std::string_view line = reader.line();
    if (is_blank(line)) {
      flush();
    } else if (is_ended) {
      throw line_error(label, reader.number(), "a second alignment in one file",
                       "give each family a file of its own");
    } else if (trimmed(line) == "//") {
      is_ended = true;
    } else if (const SelexLine read = line_of(line, reader.number()); has_columns(read.name)) {
      block.lines.push_back(read);
    } else if (is_markup(read.name)) {
      take_word(line);
      on_markup(read.name, trimmed(line));
    } else if (line[0] != '#' && line[0] != '%') {  // else it is a comment
      block.lines.push_back(read);
      block.begin = std::min(block.begin, read.begin);
      block.end = std::max(block.end, read.end);
    }
  }
  flush();
}

void append_block(RecordBuilder& builder, const Block& block, const std::string& label) {
  const bool is_first = builder.size() == 0;
  for (const SelexLine& line : block.lines) {
    if (is_markup(line.name)) continue;
    if (line.text.substr(0, line.end).find_first_of(kOtherBlanks, block.begin) != line.text.npos) {
      throw line_error(label, line.number, "a tab among the columns of row " + quote(line.name),
                       "SELEX aligns rows by their places in the line: write blanks for tabs");
    }
    if (is_first && !builder.add(line.name)) throw two_rows_error(label, line.number, line.name);
    if (!builder.has(line.name)) {
      throw line_error(label, line.number, "row " + quote(line.name) + " is not in the first block",
                       "every block of a SELEX file has the same rows");
    }
    std::string letters = block.columns_of(line, '-');
    std::replace(letters.begin(), letters.end(), '_', '-');
    builder.append_line(line.name, letters, line.number);
  }
  builder.end_block(block.lines.back().number);
}

/// Converts markup of the file to Stockholm; returns false if Stockholm has no such markup.
bool add_line(StockholmMarkup& markup, std::string_view mark, std::string_view text) {
  constexpr std::array<std::string_view, 7> kOfFile = {"#=ID", "#=AC", "#=DE", "#=AU",
                                                       "#=GA", "#=TC", "#=NC"};
  if (std::find(kOfFile.begin(), kOfFile.end(), mark) == kOfFile.end()) return false;
  markup.of_file.push_back(std::string(mark.substr(2)) + "   " + std::string(text));
  return true;
}

/// Adds the markup of the columns of a block, which has `before` columns in front of it. SS and SA
/// belong to the row above them.
void add_columns(MarkupLines& lines, const Block& block, std::size_t before) {
  std::string_view row;
  for (const SelexLine& line : block.lines) {
    if (!is_markup(line.name)) {
      row = line.name;
      continue;
    }
    const bool is_of_row = line.name == "#=SS" || line.name == "#=SA";
    const std::string_view tag = line.name == "#=CS" ? "SS_cons" : line.name.substr(2);
    std::string& whole = lines.text_of(is_of_row ? row : std::string_view(), tag);
    whole.resize(before, '.');  // earlier blocks may lack it
    whole += block.columns_of(line, '.');
  }
}

}  // namespace

std::vector<SequenceRecord> parse_selex(std::string_view text, const std::string& label,
                                        OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  walk(
      text, label, [&](const Block& block) { append_block(builder, block, label); },
      [](std::string_view, std::string_view) {});
  return builder.finish_aligned();
}

StockholmMarkup parse_selex_markup(std::string_view text, const std::string& label) {
  StockholmMarkup markup;
  MarkupLines lines(markup);
  std::size_t others = 0, columns = 0;
  walk(
      text, label,
      [&](const Block& block) {
        const std::size_t most = markup.of_residues.size() + markup.of_columns.size();
        columns += block.end - block.begin;
        // A line is as long as its block, however few characters it has in the text.
        check_reading((most + block.lines.size()) * columns, label, "the lines of markup");
        add_columns(lines, block, columns - (block.end - block.begin));
      },
      [&](std::string_view mark, std::string_view words) {
        others += !add_line(markup, mark, words);
      });
  for (auto* all : {&markup.of_residues, &markup.of_columns}) {
    for (StockholmMarkup::Columns& line : *all) line.text.resize(columns, '.');
  }
  if (others > 0) markup.others.push_back(counted(others, "line") + " of SELEX markup");
  return markup;
}

}  // namespace accord
