// SPDX-License-Identifier: Apache-2.0
#include "io/trees/nexus_trees.hpp"

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "io/formats/nexus_words.hpp"

namespace accord {
namespace {

/// Reads "KEY NAME, KEY NAME, ...;".
void read_names(NexusWords& words, NexusTree& tree) {
  while (true) {
    std::string key = words.word();
    if (key == ";") return;
    std::string name = words.word(), mark = words.word();
    if (mark != "," && mark != ";") throw words.complaint("'translate' lists a label and a name");
    tree.names.insert_or_assign(std::move(key), std::move(name));
    if (mark == ";") return;
  }
}

/// Reads the labels of the taxa block. A tree may have their numbers instead.
void read_taxa(NexusWords& words, NexusTree& tree) {
  std::vector<std::string> labels;
  for (std::string label = words.word(); label != ";"; label = words.word()) {
    if (label.empty()) throw words.complaint("a command is never closed by ';'");
    labels.push_back(std::move(label));
  }
  const std::unordered_set<std::string> known(labels.begin(), labels.end());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    std::string number = std::to_string(k + 1);
    if (!known.contains(number)) tree.names.emplace(std::move(number), std::move(labels[k]));
  }
}

/// Skips a tree and its ';'.
void skip_tree(NexusWords& words) {
  char quote = 0;
  while (true) {
    if (quote == 0) words.skip_blanks();
    if (words.is_at_end()) throw words.complaint("a tree is never closed by ';'");
    const char c = words.peek();
    words.advance();
    if (quote != 0) {
      if (c == quote) quote = 0;  // two quotes end a quoted part and begin another one
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ';') {
      return;
    }
  }
}

}  // namespace

NexusTree find_nexus_tree(std::string_view text, const std::string& label) {
  NexusTree tree;
  NexusWords words(text, label);
  bool has_trees = false, has_taxa = false;
  while (true) {
    const std::string command = lower_case(words.word());
    if (command.empty() && words.is_at_end()) break;
    if (command == ";") continue;
    if (command == "begin") {
      const std::string block = lower_case(words.word());
      has_trees = block == "trees";
      has_taxa = block == "taxa" || block == "data";
    } else if (has_taxa && command == "taxlabels") {
      read_taxa(words, tree);
      continue;
    } else if (has_trees && command == "translate") {
      read_names(words, tree);
      continue;
    } else if (has_trees && (command == "tree" || command == "utree")) {
      for (std::string word = words.word(); word != "="; word = words.word()) {
        if (word.empty() || word == ";") throw words.complaint("a tree has no '='");
      }
      if (++tree.count == 1) tree.begin = words.place();
      skip_tree(words);
      continue;
    }
    words.skip_command();
  }
  if (tree.count == 0) throw words.complaint("there is no tree");
  return tree;
}

}  // namespace accord
