// SPDX-License-Identifier: Apache-2.0
#include "io/trees/newick_notes.hpp"

#include <cstdint>
#include <random>
#include <unordered_map>

#include "base/log.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

/// For each node, a number that identifies the set of leaves below it.
std::vector<std::uint64_t> clades_of(const GuideTree& tree) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> clades;
  for (std::uint32_t leaf = 0; leaf < tree.leaves; ++leaf) clades.push_back(random());
  for (std::size_t join = 0; join < tree.left.size(); ++join) {
    clades.push_back(clades[tree.left[join]] + clades[tree.right[join]]);
  }
  return clades;
}

}  // namespace

NewickNotes moved_notes(const NewickNotes& notes, const GuideTree& from, const GuideTree& to) {
  NewickNotes moved = notes;
  const std::size_t nodes = to.nodes();
  moved.labels.assign(nodes, {});
  moved.tails.assign(nodes, {});
  moved.is_inserted.assign(nodes, false);
  const std::vector<std::uint64_t> clades = clades_of(to), before = clades_of(from);
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::size_t node = 0; node < nodes; ++node) places.emplace(clades[node], node);
  for (std::size_t node = 0; node < before.size(); ++node) {
    const auto at = places.find(before[node]);
    if (at == places.end()) {
      moved.lost += !notes.labels[node].empty() || !notes.tails[node].empty();
      continue;
    }
    moved.labels[at->second] = notes.labels[node];
    moved.tails[at->second] = notes.tails[node];
    moved.is_inserted[at->second] = notes.is_inserted[node];
  }
  return moved;
}

void warn_of_lost(const NewickNotes& notes, const std::string& label) {
  if (notes.lost == 0) return;
  log_warning(label + ": the labels and comments of " + counted(notes.lost, "node") +
              " are left out: other nodes, or the support, are in their place");
}

std::string written_label(std::string_view label) {
  constexpr std::string_view kPunctuation = "()[]':;, \t\v\f\r\n";
  const bool is_plain = label.find_first_of(kPunctuation) == label.npos && !label.starts_with('"');
  if (!label.empty() && is_plain) return std::string(label);
  std::string text = "'";
  for (char c : label) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

}  // namespace accord
