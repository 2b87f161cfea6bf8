// SPDX-License-Identifier: Apache-2.0
#include "io/formats/stockholm_markup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "io/files/text_input.hpp"

namespace accord {
namespace {

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

/// What stands in a line of markup where it says nothing.
bool is_gap_mark(char c) { return std::string_view(".-_~").find(c) != std::string_view::npos; }

/// Whether two lines say something else of a column.
bool differ(const std::string& a, const std::string& b) {
  for (std::size_t c = 0; c < a.size(); ++c) {
    if (a[c] != b[c] && !is_gap_mark(a[c]) && !is_gap_mark(b[c])) return true;
  }
  return false;
}

}  // namespace

std::string& StockholmMarkup::text_of(std::string_view name, std::string_view tag) {
  std::vector<Columns>& all = name.empty() ? of_columns : of_residues;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Columns& one) {
    return one.name == name && one.tag == tag;
  });
  if (at != all.end()) return at->text;
  all.push_back({std::string(name), std::string(tag), {}});
  return all.back().text;
}

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
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (!head.empty()) add(std::to_string(head.size()) + " '#'");
  for (const std::string& other : others) add(other);
  return text;
}

void StockholmMarkup::keep_columns(const std::vector<bool>& kept) {
  for (auto* all : {&of_residues, &of_columns}) {
    for (Columns& one : *all) one.text = without(one.text, kept);
  }
}

void StockholmMarkup::move_columns(const std::vector<std::uint32_t>& place, std::size_t columns) {
  for (auto* all : {&of_residues, &of_columns}) {
    for (Columns& one : *all) {
      std::string moved(columns, '.');
      for (std::size_t c = 0; c < one.text.size(); ++c) moved[place[c]] = one.text[c];
      one.text = std::move(moved);
    }
  }
}

const StockholmMarkup::Columns* StockholmMarkup::columns_tagged(std::string_view tag) const {
  const auto at = std::find_if(of_columns.begin(), of_columns.end(),
                               [&](const Columns& one) { return one.tag == tag; });
  return at == of_columns.end() ? nullptr : &*at;
}

std::vector<bool> reference_columns(std::string_view line) {
  std::vector<bool> is_match;
  for (const char c : line) is_match.push_back(!is_gap_mark(c));
  return is_match;
}

std::size_t add_markup(StockholmMarkup& markup, const StockholmMarkup& other) {
  constexpr std::array<std::string_view, 6> kSingle = {"ID", "AC", "DE", "GA", "NC", "TC"};
  std::size_t left_out = 0;
  const auto tag_of = [](std::string_view line) { return take_word(line); };
  for (const std::string& line : other.of_file) {
    const bool is_single = std::find(kSingle.begin(), kSingle.end(), tag_of(line)) != kSingle.end();
    const bool is_taken = is_single && std::any_of(markup.of_file.begin(), markup.of_file.end(),
                                                   [&](const std::string& own) {
                                                     return tag_of(own) == tag_of(line);
                                                   });
    const bool is_there =
        std::find(markup.of_file.begin(), markup.of_file.end(), line) != markup.of_file.end();
    if (!is_taken && !is_there) markup.of_file.push_back(line);
    left_out += is_taken && !is_there;
  }
  for (const auto& line : other.of_sequences) markup.of_sequences.push_back(line);
  for (const auto& line : other.of_residues) markup.of_residues.push_back(line);
  for (const StockholmMarkup::Columns& line : other.of_columns) {
    std::string* const own = [&]() -> std::string* {
      for (auto& one : markup.of_columns) {
        if (one.tag == line.tag) return &one.text;
      }
      return nullptr;
    }();
    if (own == nullptr) {
      markup.of_columns.push_back(line);
    } else if (line.tag != kReferenceTag && differ(*own, line.text)) {
      ++left_out;
    } else {
      for (std::size_t c = 0; c < own->size(); ++c) {
        if (is_gap_mark((*own)[c])) (*own)[c] = line.text[c];
      }
    }
  }
  left_out += other.head.size() + other.others.size();
  return left_out;
}

StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label) {
  StockholmMarkup markup;
  std::map<std::string, std::size_t> lengths;  // of the rows
  std::size_t columns = 0;
  std::string first;
  std::vector<std::string_view> described;
  for (LineReader reader(text); reader.next();) {
    std::string_view line = trimmed(reader.line());
    if (line == "//") break;
    std::string_view rest_of_line = line;
    const std::string_view mark = take_word(rest_of_line);
    if (mark == "#=GF") {
      markup.of_file.emplace_back(trimmed(rest_of_line));
    } else if (mark == "#=GS") {
      take_word(line);
      const std::string_view name = take_word(line);
      line = trimmed(line);
      std::string_view rest = line;
      if (take_word(rest) == "DE") {
        described.push_back(name);
      } else {
        markup.of_sequences.push_back({std::string(name), std::string(line)});
      }
    } else if (mark == "#=GR") {
      take_word(line);
      const std::string_view name = take_word(line), tag = take_word(line);
      markup.text_of(name, tag) += trimmed(line);
    } else if (mark == "#=GC") {
      take_word(line);
      const std::string_view tag = take_word(line);
      markup.text_of({}, tag) += trimmed(line);
    } else if (!line.empty() && line[0] != '#') {
      const std::string name(take_word(line));
      const auto letters = static_cast<std::size_t>(
          std::count_if(line.begin(), line.end(), [](char c) { return !is_white_space(c); }));
      lengths[name] += letters;
      if (first.empty()) first = name;
    }
  }
  if (!first.empty()) columns = lengths.at(first);
  std::size_t strangers = std::erase_if(
      markup.of_sequences,
      [&](const StockholmMarkup::OfSequence& one) { return !lengths.contains(one.name); });
  strangers += static_cast<std::size_t>(
      std::count_if(described.begin(), described.end(),
                    [&](std::string_view name) { return !lengths.contains(std::string(name)); }));
  if (strangers > 0) markup.others.push_back(std::to_string(strangers) + " #=GS of other rows");
  check_lengths(markup, lengths, columns, label);
  return markup;
}

}  // namespace accord
