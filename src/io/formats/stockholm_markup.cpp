// SPDX-License-Identifier: Apache-2.0
#include "io/formats/stockholm_markup.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// The text of the markup of a tag, made if it is not there yet.
std::string& text_of(std::vector<StockholmMarkup::Columns>& all, std::string_view name,
                     std::string_view tag) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const StockholmMarkup::Columns& one) {
    return one.name == name && one.tag == tag;
  });
  if (at != all.end()) return at->text;
  all.push_back({std::string(name), std::string(tag), {}});
  return all.back().text;
}

/// Refuses markup that does not fit its row; that of columns must fit the first one.
void check_lengths(const StockholmMarkup& markup, const std::map<std::string, std::size_t>& lengths,
                   std::size_t columns, const std::string& label) {
  for (const auto* all : {&markup.of_residues, &markup.of_columns}) {
    for (const StockholmMarkup::Columns& one : *all) {
      const auto row = lengths.find(one.name);
      const std::size_t wanted = one.name.empty()       ? columns
                                 : row == lengths.end() ? 0
                                                        : row->second;
      if (one.text.size() == wanted) continue;
      throw Error(ErrorKind::bad_input,
                  label + ": the markup " + quote(one.tag) +
                      (one.name.empty() ? "" : " of row " + quote(one.name)) + " has " +
                      std::to_string(one.text.size()) + " characters for " +
                      std::to_string(wanted) + " columns",
                  "'#=GR' and '#=GC' have a character for each column");
    }
  }
}

std::string without(const std::string& text, const std::vector<bool>& kept) {
  std::string result;
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (kept[c]) result += text[c];
  }
  return result;
}

}  // namespace

std::string StockholmMarkup::counted() const {
  const std::pair<std::size_t, const char*> counts[] = {{of_file.size(), "#=GF"},
                                                        {of_sequences.size(), "#=GS"},
                                                        {of_residues.size(), "#=GR"},
                                                        {of_columns.size(), "#=GC"}};
  std::string text;
  for (const auto& [count, mark] : counts) {
    if (count == 0) continue;
    if (!text.empty()) text += ", ";
    text.append(std::to_string(count)).append(" ").append(mark);
  }
  return text;
}

void StockholmMarkup::keep_columns(const std::vector<bool>& kept) {
  for (auto* all : {&of_residues, &of_columns}) {
    for (Columns& one : *all) one.text = without(one.text, kept);
  }
}

StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label) {
  StockholmMarkup markup;
  std::map<std::string, std::size_t> lengths;  // of the rows
  std::size_t columns = 0;
  std::string first;
  for (LineReader reader(text); reader.next();) {
    std::string_view line = trimmed(reader.line());
    if (line == "//") break;
    if (line.starts_with("#=GF ")) {
      markup.of_file.emplace_back(line.substr(5));
    } else if (line.starts_with("#=GS ")) {
      take_word(line);
      const std::string_view name = take_word(line);
      line = trimmed(line);
      std::string_view rest = line;
      if (take_word(rest) != "DE")
        markup.of_sequences.push_back({std::string(name), std::string(line)});
    } else if (line.starts_with("#=GR ")) {
      take_word(line);
      const std::string_view name = take_word(line), tag = take_word(line);
      text_of(markup.of_residues, name, tag) += trimmed(line);
    } else if (line.starts_with("#=GC ")) {
      take_word(line);
      const std::string_view tag = take_word(line);
      text_of(markup.of_columns, {}, tag) += trimmed(line);
    } else if (!line.empty() && line[0] != '#') {
      const std::string name(take_word(line));
      const auto letters = static_cast<std::size_t>(
          std::count_if(line.begin(), line.end(), [](char c) { return !is_white_space(c); }));
      lengths[name] += letters;
      if (first.empty()) first = name;
    }
  }
  if (!first.empty()) columns = lengths.at(first);
  check_lengths(markup, lengths, columns, label);
  return markup;
}

}  // namespace accord
