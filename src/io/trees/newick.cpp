// SPDX-License-Identifier: Apache-2.0
#include "io/trees/newick.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/trees/newick_text.hpp"

namespace accord {
namespace {

/// A node whose parent has not been read yet, with the branch above it.
struct OpenNode {
  std::uint32_t node = 0;
  double length = 0;
  bool has_length = false;
};

/// Stands for a node without a kept leaf.
constexpr std::uint32_t kPruned = std::numeric_limits<std::uint32_t>::max();

constexpr double kLongestBranch = std::numeric_limits<float>::max();

/// Finds the sequence for the label of a leaf.
class LeafNames {
 public:
  explicit LeafNames(const SequenceSet& set)
      : set_(set), names_(canonical_names(set)), plain_names_(unique_names(set)) {
    const auto size = static_cast<std::uint32_t>(set.size());
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(names_[x], x);
    // Other programs may use the original name of a sequence. A name of several sequences is that
    // of the first one.
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(set.name(x), x);
    for (std::uint32_t k = 0; k < size; ++k) {
      leaf_of_.emplace(plain_names_[k], static_cast<std::uint32_t>(set.from_input(k)));
    }
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(set.header(x), x);
  }

  const std::string& name(std::size_t leaf) const { return names_[leaf]; }

  /// The sequence for a label: by one of its names, in which '_' may stand for blanks, or by the
  /// label that MAFFT makes of it.
  std::optional<std::uint32_t> find(const std::string& name) const {
    std::string plain = name;
    std::replace(plain.begin(), plain.end(), ' ', '_');
    for (const std::string& label : {name, plain}) {
      const auto found = leaf_of_.find(label);
      if (found != leaf_of_.end()) return found->second;
    }
    return find_numbered(name);
  }

 private:
  /// The sequence for a label "NUMBER_NAME" of MAFFT: its number in the input, from 1, and the
  /// beginning of its header, in which all characters except letters and digits may have become
  /// '_'.
  std::optional<std::uint32_t> find_numbered(const std::string& name) const {
    const auto plain = [](std::string_view text) {
      std::string result(text);
      for (char& c : result) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
      return result;
    };
    std::size_t number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    const auto digits = static_cast<std::size_t>(parsed.ptr - name.data());
    if (parsed.ec != std::errc() || digits >= name.size() || name[digits] != '_') {
      return std::nullopt;
    }
    if (number < 1 || number > set_.size()) return std::nullopt;
    const auto leaf = static_cast<std::uint32_t>(set_.from_input(number - 1));
    const std::string rest = plain(std::string_view(name).substr(digits + 1));
    const bool is_this =
        rest.size() >= set_.name(leaf).size() && plain(set_.header(leaf)).starts_with(rest);
    return is_this ? std::optional(leaf) : std::nullopt;
  }

  const SequenceSet& set_;
  const std::vector<std::string> names_, plain_names_;           ///< canonical order; input order
  std::unordered_map<std::string_view, std::uint32_t> leaf_of_;  ///< by each name of a sequence
};

/// Makes the guide tree of a set from the tree in a text.
class TreeFitter {
 public:
  TreeFitter(std::string_view text, const std::string& label, const SequenceSet& set,
             NewickLengths lengths, std::vector<std::string>* pruned, NewickNotes* notes = nullptr)
      : text_(text),
        label_(label),
        set_(set),
        names_(set),
        lengths_(lengths),
        pruned_(pruned),
        notes_(notes == nullptr ? unasked_ : *notes),
        used_(set.size(), false) {
    tree_.leaves = static_cast<std::uint32_t>(set.size());
    tree_.length.assign(set.size(), 0.0);
    has_length_.assign(set.size(), false);
    notes_.labels.resize(set.size());
    notes_.tails.resize(set.size());
    notes_.is_inserted.resize(set.size());
  }

  GuideTree parse() {
    read();
    return finish();
  }

  /// For each sequence, whether it has a leaf.
  std::vector<bool> leaves() {
    read();
    return std::move(used_);
  }

 private:
  void read() {
    const NewickText tree = read_newick_text(text_, label_);
    notes_.head = tree.head;
    for (const NewickText::Node& node : tree.nodes) {
      const std::size_t joins = tree_.left.size();
      if (node.children == 0) {
        add_leaf(node);
      } else {
        close_group(node.children);
      }
      // A node that replaced its parent (of one child) keeps its own length, too.
      note(node, tree_.left.size() > joins);
      OpenNode& open = open_.back();
      open.length += node.length;
      if (open.length > kLongestBranch) {
        throw newick_error(text_, label_, node.position,
                           "the lengths of this branch add up to more than 3.4e38");
      }
      open.has_length |= node.has_length;
      any_length_ |= node.has_length;
    }
    if (tree.negative > 0) {
      log_warning(label_ + ": " + counted(tree.negative, "branch length is", "branch lengths are") +
                      " negative and taken for 0",
                  "neighbour joining makes such lengths");
    }
    if (tree.trees > 1) {
      log_warning(label_ + ": " + counted(tree.trees, "tree") + "; the first is taken");
    }
  }

  /// Stores the notes of a node for the last open node. `is_join`: the node became a join.
  void note(const NewickText::Node& node, bool is_join) {
    const std::uint32_t last = open_.back().node;
    const std::string label =
        (node.children == 0 || node.label.empty() ? "" : written_label(node.label)) + node.comment;
    notes_.root_length.reset();
    if (node.children > 0 && (last == kPruned || !is_join)) {
      notes_.lost += !label.empty() || !node.tail.empty();
      return;
    }
    if (last == kPruned) return;
    notes_.labels[last] = label;
    notes_.tails[last] = node.tail;
    if (is_join && node.has_length) notes_.root_length = node.length;
  }

  void add_leaf(const NewickText::Node& node) {
    const std::optional<std::uint32_t> leaf = names_.find(node.label);
    if (!leaf) {
      if (pruned_ == nullptr) {
        throw newick_error(text_, label_, node.position,
                           "leaf " + quote(node.label) + " is not among the sequences",
                           "{prune} leaves such leaves out");
      }
      pruned_->push_back(node.label);
      open_.push_back({kPruned, 0.0, false});
      return;
    }
    if (used_[*leaf]) {
      throw newick_error(text_, label_, node.position,
                         "leaf " + quote(node.label) + " occurs twice",
                         "a sequence has one leaf; rename or remove the other one");
    }
    used_[*leaf] = true;
    open_.push_back({*leaf, 0.0, false});
  }

  /// Replaces the last `children` open nodes by their parent.
  void close_group(std::uint32_t children) {
    const std::size_t first = open_.size() - children;
    open_.erase(std::remove_if(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end(),
                               [](const OpenNode& child) { return child.node == kPruned; }),
                open_.end());
    if (open_.size() == first) return open_.push_back({kPruned, 0.0, false});
    OpenNode merged = open_[first];
    for (std::size_t k = first + 1; k < open_.size(); ++k) {
      if (k > first + 1) {  // a branch that the text lacks
        merged = {merged.node, 0.0, true};
        notes_.is_inserted[merged.node] = true;
      }
      merged = join(merged, open_[k]);
    }
    open_.resize(first);
    open_.push_back(merged);
  }

  OpenNode join(const OpenNode& left, const OpenNode& right) {
    tree_.left.push_back(left.node);
    tree_.right.push_back(right.node);
    for (const OpenNode& child : {left, right}) {
      tree_.length[child.node] = child.length;
      has_length_[child.node] = child.has_length;
    }
    const auto node = static_cast<std::uint32_t>(tree_.length.size());
    tree_.length.push_back(0.0);
    has_length_.push_back(false);
    notes_.labels.emplace_back();
    notes_.tails.emplace_back();
    notes_.is_inserted.push_back(false);
    return {node, 0.0, false};
  }

  GuideTree finish() {
    std::size_t missing = 0;
    std::string names;
    for (std::size_t x = 0; x < set_.size(); ++x) {
      if (used_[x]) continue;
      if (++missing <= 3) names += (missing > 1 ? ", " : "") + quote(names_.name(x));
    }
    if (missing > 0) {
      throw Error(
          ErrorKind::bad_input,
          label_ + ": " + std::to_string(missing) + " of " + counted(set_.size(), "sequence") +
              (missing == 1 ? " is" : " are") + " not in the tree: " + names +
              (missing > 3 ? ", ..." : ""),
          pruned_ == nullptr
              ? "add them to the tree, or leave them out of the input; {prune} of "
                "'accord likelihood' leaves such rows out"
              : "{prune} leaves out leaves of the tree, never a sequence of an alignment to "
                "be made: add them to the tree, or leave them out of the input");
    }
    const double otherwise = any_length_ ? 0 : 1;
    for (std::size_t node = 0; node + 1 < tree_.length.size(); ++node) {
      if (has_length_[node]) continue;
      if (lengths_ == NewickLengths::all) {
        throw Error(ErrorKind::bad_input,
                    label_ + ": " +
                        (node < set_.size() ? "leaf " + quote(set_.name(node)) : "an inner node") +
                        " has no branch length",
                    "give every branch a length, or fit them with {fit} lengths");
      }
      tree_.length[node] = otherwise;
    }
    return std::move(tree_);
  }

  std::string_view text_;
  const std::string& label_;
  const SequenceSet& set_;
  LeafNames names_;
  NewickLengths lengths_;
  std::vector<std::string>* pruned_;  ///< receives leaves that are not sequences
  NewickNotes unasked_;
  NewickNotes& notes_;
  std::vector<bool> used_;  ///< leaves read so far
  std::vector<OpenNode> open_;
  GuideTree tree_;
  std::vector<bool> has_length_;  ///< one per node of tree_
  bool any_length_ = false;
};

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

GuideTree parse_newick(std::string_view text, const std::string& label, const SequenceSet& set,
                       NewickLengths lengths, NewickNotes* notes) {
  return TreeFitter(text, label, set, lengths, nullptr, notes).parse();
}

GuideTree parse_newick_pruned(std::string_view text, const std::string& label,
                              const SequenceSet& set, NewickLengths lengths, NewickNotes* notes) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> pruned;
  GuideTree tree = TreeFitter(text, label, set, lengths, &pruned, notes).parse();
  if (pruned.empty()) return tree;
  std::string names;
  for (std::size_t k = 0; k < std::min(kShown, pruned.size()); ++k) {
    names += (k > 0 ? ", " : "") + quote(pruned[k]);
  }
  log_warning(label + ": leaves that are not among the sequences are left out: " +
                  std::to_string(pruned.size()) + ": " + names +
                  (pruned.size() > kShown ? ", ..." : ""),
              "leave out {prune}, and this is an error");
  return tree;
}

std::vector<bool> sequences_with_leaf(std::string_view text, const std::string& label,
                                      const SequenceSet& set) {
  std::vector<std::string> others;
  return TreeFitter(text, label, set, NewickLengths::any, &others).leaves();
}

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
