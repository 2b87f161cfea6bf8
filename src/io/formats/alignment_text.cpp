// SPDX-License-Identifier: Apache-2.0
#include "io/formats/alignment_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

/// One character per residue of sequence x in its columns, `gap` elsewhere.
template <class CharacterOf>
std::string spread(const Msa& msa, std::size_t x, char gap, const CharacterOf& character_of) {
  std::string row(msa.columns, gap);
  const std::vector<std::uint32_t>& column_of = msa.column_of[x];
  for (std::size_t i = 0; i < column_of.size(); ++i) row[column_of[i]] = character_of(i);
  return row;
}

/// The confidence of the residues of a row in HMMER's code; empty if it is not known.
std::string codes_of_row(const Msa& msa, std::size_t x, const std::vector<float>& confidence) {
  if (!confidence.empty() && std::isnan(confidence.front())) return {};
  return spread(msa, x, '.', [&](std::size_t i) { return posterior_code(confidence[i]); });
}

void check_row(const SequenceSet& set, const Msa& msa, std::size_t x) {
  const std::vector<std::uint32_t>& column_of = msa.column_of[x];
  if (column_of.size() != set.length(x) ||
      (!column_of.empty() && column_of.back() >= msa.columns)) {
    throw Error(ErrorKind::internal, "a row of the alignment does not fit its sequence");
  }
}

/// Places in the input, in the order of the leaves.
std::vector<std::size_t> tree_order(const SequenceSet& set, const GuideTree& tree) {
  std::vector<std::size_t> place(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) place[set.from_input(k)] = k;
  std::vector<std::size_t> order;
  for (const std::uint32_t leaf : leaves_in_order(tree)) order.push_back(place[leaf]);
  return order;
}

/// White space and control characters but the blank become `_`.
std::string without_controls(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) c = '_';
  }
  return text;
}

/// The names, different from each other: of those that share one all are numbered but the first,
/// or the one that stays as it is in `kept`.
std::vector<std::string> numbered(std::vector<std::string> names,
                                  const std::vector<std::string>& kept = {}) {
  const std::unordered_set<std::string> given(names.begin(), names.end());
  std::unordered_set<std::string> seen;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (names[k] == kept[k]) seen.insert(names[k]);
  }
  std::unordered_map<std::string, std::size_t> next;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string& name = names[k];
    if (k < kept.size() && name == kept[k]) continue;
    if (seen.insert(name).second) continue;
    std::size_t& number = next.try_emplace(name, 2).first->second;
    std::string other;
    do {
      other = name + "_" + std::to_string(number++);
    } while (given.contains(other) || seen.contains(other));
    seen.insert(other);
    name = std::move(other);
  }
  return names;
}

/// The header of a row: a name that has blanks is written as `name`.
std::string row_header(const SequenceRecord& record, const std::string& name) {
  const std::string_view own = record.name();
  if (!record.name_bytes || own.find_first_of(" \t") == own.npos) return record.header;
  return name + record.header.substr(*record.name_bytes);
}

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

}  // namespace

std::vector<std::uint32_t> leaves_in_order(const GuideTree& tree) {
  std::vector<std::uint32_t> order, open;
  if (tree.leaves > 0) open.push_back(tree.nodes() - 1);
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    if (node < tree.leaves) {
      order.push_back(node);
    } else {
      open.push_back(tree.right[node - tree.leaves]);
      open.push_back(tree.left[node - tree.leaves]);
    }
  }
  return order;
}

std::string AlignmentText::whole_header(std::size_t r) const {
  const std::string& header = headers[r];
  if (whole_names.empty() || whole_names[r] == names[r]) return header;
  return whole_names[r] + header.substr(names[r].size());
}

std::vector<std::string> whole_names(const SequenceSet& set) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::string_view name = set.name(set.from_input(k));
    names.push_back(name.empty() ? "seq" + std::to_string(k + 1) : without_controls(name));
  }
  return numbered(std::move(names));
}

std::vector<std::string> unique_names(const SequenceSet& set) {
  const std::vector<std::string> whole = whole_names(set);
  std::vector<std::string> names = whole;
  for (std::string& name : names) std::replace(name.begin(), name.end(), ' ', '_');
  return names == whole ? whole : numbered(std::move(names), whole);
}

std::vector<std::string> canonical_names(const SequenceSet& set) {
  std::vector<std::string> by_input = whole_names(set), names(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) names[set.from_input(k)] = std::move(by_input[k]);
  return names;
}

std::vector<std::string> utf8_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(as_utf8(text));
  return result;
}

void set_column_codes(AlignmentText& text) {
  text.column_codes.clear();
  for (std::size_t c = 0; c < text.columns; ++c) {
    const float probability = text.column_confidence[c];
    if (!std::isnan(probability)) {
      text.column_codes += posterior_code(probability);
      continue;
    }
    // A column of one residue has no pair: it is as sure as its residue is of being alone.
    char code = '.';
    for (const std::string& codes : text.posterior_codes) {
      if (!codes.empty() && codes[c] != '.') code = codes[c];
    }
    text.column_codes += code;
  }
}

AlignmentText make_alignment_text(const SequenceSet& set, const Msa& msa,
                                  const Confidence* confidence, RowStyle style) {
  if (msa.column_of.size() != set.size()) {
    throw Error(ErrorKind::internal, "the alignment does not have the rows of the family");
  }
  AlignmentText text;
  text.type = set.type();
  text.columns = msa.columns;
  std::vector<std::size_t> order(set.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (style.order != nullptr) order = tree_order(set, *style.order);
  const std::vector<std::string> names = unique_names(set), whole = whole_names(set);
  const bool has_blanks = names != whole;
  for (const std::size_t k : order) {
    const std::size_t x = set.from_input(k);
    check_row(set, msa, x);
    const std::string& letters = set.letters(x);
    text.headers.push_back(row_header(set.record(x), names[k]));
    text.names.push_back(names[k]);
    if (has_blanks) text.whole_names.push_back(whole[k]);
    text.rows.push_back(spread(msa, x, '-', [&](std::size_t i) {
      return style.upper_case ? upper(letters[i]) : letters[i];
    }));
    if (confidence == nullptr) continue;
    text.posterior_codes.push_back(codes_of_row(msa, x, confidence->residue[x]));
  }
  if (confidence == nullptr) return text;
  text.column_confidence = confidence->column;
  set_column_codes(text);
  return text;
}

}  // namespace accord
