// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/alignment_text.hpp"
#include "io/newick.hpp"

namespace accord {
namespace {

/// Characters for which a name needs quotes.
constexpr std::string_view kPunctuation = "()[]':;, \t\v\f\r\n";

std::string written_name(std::string_view name) {
  const bool is_plain = name.find_first_of(kPunctuation) == name.npos && !name.starts_with('"');
  if (!name.empty() && is_plain) return std::string(name);
  std::string text = "'";
  for (char c : name) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

/// As many digits as tell a length from all others of its precision.
void append_length(std::string& text, double length) {
  char digits[32];
  const auto single = static_cast<float>(length);
  const auto end = single == length ? std::to_chars(digits, digits + sizeof digits, single)
                                    : std::to_chars(digits, digits + sizeof digits, length);
  text += ':';
  text.append(digits, end.ptr);
}

}  // namespace

std::string format_newick(const GuideTree& tree_of_any_lengths, const SequenceSet& set,
                          std::span<const std::string> labels) {
  const GuideTree tree = with_branch_lengths(tree_of_any_lengths);
  const std::vector<std::string> names = canonical_names(set);
  struct Visit {
    std::uint32_t node;
    int children_written;
  };
  std::string text;
  std::vector<Visit> path;
  if (tree.nodes() > 0) path.push_back({tree.nodes() - 1, 0});
  while (!path.empty()) {
    Visit& visit = path.back();
    const std::uint32_t node = visit.node;
    if (node >= tree.leaves && visit.children_written < 2) {
      const std::uint32_t join = node - tree.leaves;
      const bool is_first = visit.children_written++ == 0;
      text += is_first ? '(' : ',';
      path.push_back({is_first ? tree.left[join] : tree.right[join], 0});  // visit is dead now
      continue;
    }
    text += node < tree.leaves ? written_name(names[node]) : ")";
    if (node >= tree.leaves && !labels.empty()) text += labels[node];
    path.pop_back();
    if (!path.empty()) append_length(text, tree.length[node]);
  }
  return text + ";\n";
}

}  // namespace accord
