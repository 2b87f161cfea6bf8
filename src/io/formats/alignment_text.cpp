// SPDX-License-Identifier: Apache-2.0
#include "io/formats/alignment_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

/// The confidence of the residues of a row in HMMER's code; none if it is unknown.
std::optional<std::string> codes_of_row(const std::vector<float>& confidence) {
  if (!confidence.empty() && std::isnan(confidence.front())) return std::nullopt;
  std::string codes;
  for (const float probability : confidence) codes += posterior_code(probability);
  return codes;
}

/// For each leaf, in order, its place in the input.
std::vector<std::size_t> tree_order(const SequenceSet& set, const GuideTree& tree) {
  std::vector<std::size_t> place(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) place[set.from_input(k)] = k;
  std::vector<std::size_t> order;
  for (const std::uint32_t leaf : leaves_in_order(tree)) order.push_back(place[leaf]);
  return order;
}

/// Replaces white space and control characters, except blanks, by `_`.
std::string without_controls(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) c = '_';
  }
  return text;
}

/// Makes names different: of names that are equal, all but the first are numbered, or all but one
/// that is equal to its element of `kept`.
std::vector<std::string> numbered(std::vector<std::string> names,
                                  const std::vector<std::string>& kept = {}) {
  const std::unordered_set<std::string> in_use(names.begin(), names.end());
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
    } while (in_use.contains(other) || seen.contains(other));
    seen.insert(other);
    name = std::move(other);
  }
  return names;
}

/// The header of a row, with `name` in place of a name that has blanks.
std::string row_header(const SequenceRecord& record, const std::string& name) {
  const std::string_view original = record.name();
  if (!record.name_bytes || original.find_first_of(" \t") == original.npos) return record.header;
  return name + record.header.substr(*record.name_bytes);
}

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

std::size_t AlignmentText::row_named(const std::string& name) const {
  std::size_t r = 0;
  while (r < names.size() && whole_name(r) != name && names[r] != name) ++r;
  return r;
}

std::string AlignmentText::posterior_codes(std::size_t r) const {
  std::string codes;
  rows.append(codes, r, 0, columns, *residue_codes[r], '.');
  return codes;
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
  text.column_codes.assign(text.columns, '.');
  // A column of one residue has no pair. Its confidence is that of its residue.
  for (std::size_t r = 0; r < text.residue_codes.size(); ++r) {
    if (!text.residue_codes[r]) continue;
    const std::string& codes = *text.residue_codes[r];
    const std::span<const std::uint32_t> columns = text.rows.column_of(r);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (codes[i] != '.') text.column_codes[columns[i]] = codes[i];
    }
  }
  for (std::size_t c = 0; c < text.columns; ++c) {
    const float probability = text.column_confidence[c];
    if (!std::isnan(probability)) text.column_codes[c] = posterior_code(probability);
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
  text.rows = GappedRows(msa.columns);
  text.rows.reserve(set.size(), set.coded().all_codes().size());
  std::vector<std::size_t> order(set.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (style.order != nullptr) order = tree_order(set, *style.order);
  const std::vector<std::string> names = unique_names(set), whole = whole_names(set);
  const bool has_blanks = names != whole;
  for (const std::size_t k : order) {
    const std::size_t x = set.from_input(k);
    text.headers.push_back(row_header(set.record(x), names[k]));
    text.names.push_back(names[k]);
    if (has_blanks) text.whole_names.push_back(whole[k]);
    text.rows.add(set.letters(x), msa.column_of[x]);
    if (style.letter_case != LetterCase::keep) {
      for (char& c : text.rows.residues(text.rows.size() - 1)) {
        c = in_case(c, style.letter_case, set.type());
      }
    }
    if (confidence == nullptr) continue;
    text.residue_codes.push_back(codes_of_row(confidence->residue[x]));
  }
  if (confidence == nullptr) return text;
  text.column_confidence = confidence->column;
  set_column_codes(text);
  return text;
}

}  // namespace accord
