// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/alignment_text.hpp"
#include "io/trees/newick.hpp"
#include "io/trees/newick_notes.hpp"

namespace accord {
namespace {

/// Appends a length with the fewest digits that distinguish it from other numbers of its precision.
void append_length(std::string& text, double length) {
  char digits[32];
  const auto single = static_cast<float>(length);
  const auto end = single == length ? std::to_chars(digits, digits + sizeof digits, single)
                                    : std::to_chars(digits, digits + sizeof digits, length);
  text += ':';
  text.append(digits, end.ptr);
}

}  // namespace

std::string format_newick(const GuideTree& tree, const SequenceSet& set,
                          std::span<const std::string> labels) {
  NewickNotes notes;
  notes.labels.assign(labels.begin(), labels.end());
  return format_newick(tree, set, notes);
}

std::string format_newick(const GuideTree& tree_of_any_lengths, const SequenceSet& set,
                          const NewickNotes& notes) {
  const GuideTree tree = with_branch_lengths(tree_of_any_lengths);
  const std::vector<std::string> names = canonical_names(set);
  const auto is_inserted = [&](std::uint32_t node) {
    return !notes.is_inserted.empty() && notes.is_inserted[node];
  };
  struct Visit {
    std::uint32_t node;
    int children_written;
  };
  std::string text = notes.head;
  std::vector<Visit> path;
  if (tree.nodes() > 0) path.push_back({tree.nodes() - 1, 0});
  while (!path.empty()) {
    Visit& visit = path.back();
    const std::uint32_t node = visit.node;
    if (node >= tree.leaves && visit.children_written < 2) {
      const std::uint32_t join = node - tree.leaves;
      const bool is_first = visit.children_written++ == 0;
      if (!is_first) text += ',';
      if (is_first && !is_inserted(node)) text += '(';
      path.push_back({is_first ? tree.left[join] : tree.right[join], 0});  // visit dangles
      continue;
    }
    path.pop_back();
    if (is_inserted(node)) continue;
    text += node < tree.leaves ? written_label(names[node]) : ")";
    if (!notes.labels.empty()) text += notes.labels[node];
    if (!path.empty()) append_length(text, tree.length[node]);
    if (path.empty() && notes.root_length) append_length(text, *notes.root_length);
    if (!notes.tails.empty()) text += notes.tails[node];
  }
  return text + ";\n";
}

}  // namespace accord
