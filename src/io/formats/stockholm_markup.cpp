// SPDX-License-Identifier: Apache-2.0
#include "io/formats/stockholm_markup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// Throws if a line of markup has another length than its row; markup of columns is compared with
/// the first row.
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
                      counted(one.text.size(), "character") + " for " + counted(wanted, "column"),
                  "'#=GR' and '#=GC' have a character for each column");
    }
  }
}

/// Whether a character of markup means that there is no annotation.
bool is_gap_mark(char c) { return std::string_view(".-_~").find(c) != std::string_view::npos; }

constexpr std::size_t kUnpaired = static_cast<std::size_t>(-1);

/// Pairs of columns.
struct ColumnPairs {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  bool is_odd = false;  ///< whether a mark has no partner
};

/// The pairs of an opening and a closing mark.
ColumnPairs pairs_of(const std::string& text, char opening, char closing) {
  if (text.find(closing) == text.npos) return {{}, text.find(opening) != text.npos};
  const std::array<char, 2> marks = {opening, closing};
  const std::string_view either(marks.data(), marks.size());
  ColumnPairs found;
  std::vector<std::size_t> open;
  for (std::size_t c = text.find_first_of(either); c != text.npos;
       c = text.find_first_of(either, c + 1)) {
    if (text[c] == opening) {
      open.push_back(c);
    } else if (open.empty()) {
      found.is_odd = true;
    } else {
      found.pairs.emplace_back(open.back(), c);
      open.pop_back();
    }
  }
  found.is_odd = found.is_odd || !open.empty();
  return found;
}

/// For each column of a line of structure, its partner by brackets or by the letters of
/// pseudoknots, `A` and `a`; `kUnpaired` if it has none. Letters without brackets count only if all
/// of them are in pairs, since lines of proteins have letters, too.
std::vector<std::size_t> partners_in(const StockholmMarkup::Columns& line) {
  std::vector<std::size_t> partners(line.text.size(), kUnpaired);
  if (line.tag == kReferenceTag) return partners;
  const auto add = [&](const ColumnPairs& found) {
    for (const auto& [first, second] : found.pairs) {
      partners[first] = second;
      partners[second] = first;
    }
  };
  bool has_brackets = false, has_odd = false;
  for (const std::string_view marks : {"<>", "()", "[]", "{}"}) {
    const ColumnPairs found = pairs_of(line.text, marks[0], marks[1]);
    has_brackets = has_brackets || !found.pairs.empty();
    add(found);
  }
  std::vector<ColumnPairs> letters;
  for (char letter = 'A'; letter <= 'Z'; ++letter) {
    letters.push_back(pairs_of(line.text, letter, static_cast<char>(letter - 'A' + 'a')));
    has_odd = has_odd || letters.back().is_odd;
  }
  for (const ColumnPairs& found : letters) {
    if (has_brackets ? !found.is_odd : !has_odd) add(found);
  }
  return partners;
}

/// Joins two lines of columns: a column without annotation in one line takes that of the other.
/// None if both annotate a column differently, or if a column of one line would be paired with a
/// column of the other.
std::optional<std::string> joined(const StockholmMarkup::Columns& line,
                                  const StockholmMarkup::Columns& other) {
  StockholmMarkup::Columns both = line;
  for (std::size_t c = 0; c < both.text.size(); ++c) {
    if (is_gap_mark(line.text[c])) {
      both.text[c] = other.text[c];
    } else if (line.tag != kReferenceTag && line.text[c] != other.text[c] &&
               !is_gap_mark(other.text[c])) {
      return std::nullopt;
    }
  }
  const std::vector<std::size_t> found = partners_in(both), partners = partners_in(line),
                                 others = partners_in(other);
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (found[c] != (partners[c] == kUnpaired ? others[c] : partners[c])) return std::nullopt;
  }
  return both.text;
}

}  // namespace

std::string& MarkupLines::text_of(std::string_view name, std::string_view tag) {
  std::vector<StockholmMarkup::Columns>& all =
      name.empty() ? markup_.of_columns : markup_.of_residues;
  const auto [at, is_new] =
      places_.try_emplace(std::string(name).append(" ").append(tag), all.size());
  if (is_new) all.push_back({std::string(name), std::string(tag), {}});
  return all[at->second].text;
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
    for (Columns& one : *all) {
      const std::vector<std::size_t> partners = partners_in(one);
      std::string text;
      for (std::size_t c = 0; c < one.text.size(); ++c) {
        if (!kept[c]) continue;
        text += partners[c] == kUnpaired || kept[partners[c]] ? one.text[c] : '.';
      }
      one.text = std::move(text);
    }
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
  std::unordered_set<std::string> present(markup.of_file.begin(), markup.of_file.end()), tags;
  const auto tag_of = [](std::string_view line) { return std::string(take_word(line)); };
  for (const std::string& line : markup.of_file) tags.insert(tag_of(line));
  for (const std::string& line : other.of_file) {
    if (!present.insert(line).second) continue;
    const std::string tag = tag_of(line);
    const bool is_single = std::find(kSingle.begin(), kSingle.end(), tag) != kSingle.end();
    if (!tags.insert(tag).second && is_single) {
      ++left_out;
    } else {
      markup.of_file.push_back(line);
    }
  }
  for (const auto& line : other.of_sequences) markup.of_sequences.push_back(line);
  for (const auto& line : other.of_residues) markup.of_residues.push_back(line);
  std::unordered_map<std::string, std::size_t> places;  // [tag]: the first line
  for (std::size_t k = 0; k < markup.of_columns.size(); ++k) {
    places.try_emplace(markup.of_columns[k].tag, k);
  }
  for (const StockholmMarkup::Columns& line : other.of_columns) {
    const auto [at, is_new] = places.try_emplace(line.tag, markup.of_columns.size());
    if (is_new) {
      markup.of_columns.push_back(line);
    } else if (std::optional<std::string> text = joined(markup.of_columns[at->second], line)) {
      markup.of_columns[at->second].text = std::move(*text);
    } else {
      ++left_out;
    }
  }
  left_out += other.head.size() + other.others.size();
  return left_out;
}

StockholmMarkup parse_stockholm_markup(std::string_view text, const std::string& label) {
  StockholmMarkup markup;
  MarkupLines lines(markup);
  std::map<std::string, std::size_t> lengths;  // [name of a row]
  std::size_t columns = 0;
  std::string first;
  std::vector<std::string_view> described;
  for (LineReader reader(text); reader.next();) {
    std::string_view line = trimmed(reader.line());
    if (line == "//") break;
    std::string_view rest_of_line = line;
    const std::string_view mark = take_word(rest_of_line);
    if (mark == "#=GF") {
      const std::string_view words = trimmed(rest_of_line);
      const bool counts_rows = take_word(rest_of_line) == kRowCountTag;
      markup.of_file.emplace_back(counts_rows ? kRowCountTag : words);
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
      lines.text_of(name, tag) += trimmed(line);
    } else if (mark == "#=GC") {
      take_word(line);
      const std::string_view tag = take_word(line);
      lines.text_of({}, tag) += trimmed(line);
    } else if (!line.empty() && line[0] != '#') {
      const std::string name(take_word(line));
      const auto letters = static_cast<std::size_t>(
          std::count_if(line.begin(), line.end(), [](char c) { return !is_white_space(c); }));
      lengths[name] += letters;
      if (first.empty()) first = name;
    }
  }
  if (!first.empty()) columns = lengths.at(first);
  std::size_t foreign = std::erase_if(
      markup.of_sequences,
      [&](const StockholmMarkup::OfSequence& one) { return !lengths.contains(one.name); });
  foreign += static_cast<std::size_t>(
      std::count_if(described.begin(), described.end(),
                    [&](std::string_view name) { return !lengths.contains(std::string(name)); }));
  if (foreign > 0) markup.others.push_back(std::to_string(foreign) + " #=GS of other rows");
  check_lengths(markup, lengths, columns, label);
  return markup;
}

}  // namespace accord
