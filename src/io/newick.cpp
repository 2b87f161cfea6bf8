// SPDX-License-Identifier: Apache-2.0
#include "io/newick.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/log.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/formats/nexus_words.hpp"
#include "io/nexus_trees.hpp"

namespace accord {
namespace {

constexpr std::string_view kBlanks = " \t\v\f\r\n";
/// Characters that end a label without quotes.
constexpr std::string_view kPunctuation = "()[]':;, \t\v\f\r\n";

constexpr double kLongest = 3.40282356e38;  // what single precision can hold, when rounded

/// A node whose parent is not known yet, with the branch above it.
struct OpenNode {
  std::uint32_t node = 0;
  double length = 0;
  bool has_length = false;
};

/// Stands for a node none of whose leaves is kept.
constexpr std::uint32_t kPruned = std::numeric_limits<std::uint32_t>::max();

/// Reads one tree. Open parentheses are kept on a stack of its own.
class NewickParser {
 public:
  NewickParser(std::string_view text, const std::string& label, const SequenceSet& set,
               NewickLengths lengths, std::vector<std::string>* pruned)
      : text_(text),
        label_(label),
        set_(set),
        names_(canonical_names(set)),
        plain_names_(unique_names(set)),
        lengths_(lengths),
        pruned_(pruned),
        used_(set.size(), false) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
    if (looks_like_nexus(text)) {
      nexus_ = find_nexus_tree(text, label);
      at_ = nexus_->begin;
    }
    const auto size = static_cast<std::uint32_t>(set.size());
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(names_[x], x);
    // What other programs call a sequence whose name is odd; a shared name is that of the first.
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(set.name(x), x);
    for (std::uint32_t k = 0; k < size; ++k) {
      leaf_of_.emplace(plain_names_[k], static_cast<std::uint32_t>(set.from_input(k)));
    }
    for (std::uint32_t x = 0; x < size; ++x) leaf_of_.emplace(set.header(x), x);
    tree_.leaves = size;
    tree_.length.assign(set.size(), 0.0);
    has_length_.assign(set.size(), false);
  }

  GuideTree parse() {
    read();
    return finish();
  }

  /// Which sequences have a leaf.
  std::vector<bool> leaves() {
    read();
    return std::move(used_);
  }

 private:
  struct Group {
    std::size_t position;     ///< of its '('
    std::size_t first_child;  ///< index in open_
  };

  void read() {
    bool node_expected = true;
    while (true) {
      skip_blanks();
      if (node_expected) {
        if (take('(')) {
          groups_.push_back({at_ - 1, open_.size()});
          continue;
        }
        read_leaf();
        node_expected = false;
      } else if (!groups_.empty() && take(',')) {
        node_expected = true;
      } else if (!groups_.empty() && take(')')) {
        close_group();
        skip_blanks();
        if (is_quote(peek()) || kPunctuation.find(peek()) == kPunctuation.npos) read_label();
        read_length();
      } else if (groups_.empty() && take(';')) {
        break;
      } else {
        fail_after_node();
      }
    }
    if (!nexus_) {
      skip_blanks();
      if (at_ < text_.size()) throw error(at_, "there is text after the end of the tree");
    }
    warn_of_odd_input();
  }

  /// The next character; 0 at the end of the text.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// Error{bad_input} "LABEL:LINE:COLUMN: WHAT" about a position of the text.
  Error error(
      std::size_t position, const std::string& what,
      const std::string& hint = "trees are Newick, such as ((a:0.1,b:0.1):0.1,c:0.2);") const {
    const std::string_view before = text_.substr(0, position);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return Error(ErrorKind::bad_input,
                 label_ + ":" + std::to_string(line) + ":" +
                     std::to_string(position - line_begin + 1) + ": " + what,
                 hint);
  }

  [[noreturn]] void fail_after_node() const {
    if (at_ >= text_.size() && !groups_.empty()) {
      throw error(groups_.back().position, "this '(' is never closed");
    }
    const std::string expected = groups_.empty() ? "';'" : "',' or ')'";
    const std::string found =
        at_ >= text_.size() ? "the end of the text" : quote(text_.substr(at_, 1));
    throw error(at_, "expected " + expected + ", found " + found);
  }

  /// Skips white space and comments, which may be nested.
  void skip_blanks() {
    std::size_t depth = 0, comment = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[') {
        if (depth++ == 0) comment = at_;
      } else if (c == ']' && depth > 0) {
        --depth;
      } else if (depth == 0 && kBlanks.find(c) == kBlanks.npos) {
        return;
      }
    }
    if (depth > 0) throw error(comment, "this comment is never closed");
  }

  static bool is_quote(char c) { return c == '\'' || c == '"'; }

  std::string read_label() {
    const char mark = peek();
    if (!is_quote(mark)) {
      const std::size_t end = std::min(text_.find_first_of(kPunctuation, at_), text_.size());
      const std::string_view name = text_.substr(at_, end - at_);
      at_ = end;
      return std::string(name);
    }
    const std::size_t begin = at_++;
    std::string name;
    while (true) {
      if (at_ >= text_.size()) throw error(begin, "this quoted name is never closed");
      if (text_[at_] != mark) {
        name += text_[at_++];
      } else if (text_.substr(at_, 2) == std::string(2, mark)) {
        name += mark;
        at_ += 2;
      } else {
        ++at_;
        return name;
      }
    }
  }

  void read_leaf() {
    const std::size_t begin = at_;
    if (!is_quote(peek()) &&
        (at_ >= text_.size() || kPunctuation.find(peek()) != kPunctuation.npos)) {
      throw error(at_, "expected '(' or the name of a sequence");
    }
    std::string name = read_label();
    if (nexus_) {
      const auto translated = nexus_->names.find(name);
      if (translated != nexus_->names.end()) name = translated->second;
    }
    const std::optional<std::uint32_t> leaf = find_leaf(name);
    if (!leaf) {
      if (pruned_ == nullptr) {
        throw error(begin, "leaf " + quote(name) + " is not among the sequences",
                    "{prune} leaves such leaves out");
      }
      pruned_->push_back(name);
      open_.push_back({kPruned, 0.0, false});
      return read_length();
    }
    if (used_[*leaf]) throw error(begin, "leaf " + quote(name) + " occurs twice");
    used_[*leaf] = true;
    open_.push_back({*leaf, 0.0, false});
    read_length();
  }

  /// The sequence of a label: by one of its names, in which '_' may stand for blanks, or as MAFFT
  /// writes it.
  std::optional<std::uint32_t> find_leaf(const std::string& name) const {
    std::string plain = name;
    std::replace(plain.begin(), plain.end(), ' ', '_');
    for (const std::string& label : {name, plain}) {
      const auto found = leaf_of_.find(label);
      if (found != leaf_of_.end()) return found->second;
    }
    return find_numbered(name);
  }

  /// The sequence of a label "NUMBER_NAME": its place in the input, from 1, and the beginning of
  /// its header, in which other characters than letters and digits may have become '_'.
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

  void warn_of_odd_input() const {
    if (negative_ > 0) {
      log_warning(label_ + ": " + std::to_string(negative_) +
                      (negative_ == 1 ? " branch length is" : " branch lengths are") +
                      " negative and taken for 0",
                  "neighbour joining makes such lengths");
    }
    if (nexus_ && nexus_->count > 1) {
      log_warning(label_ + ": " + std::to_string(nexus_->count) + " trees; the first is taken");
    }
  }

  /// Reads ":NUMBER", if there is one, as the branch above the node that was read last.
  void read_length() {
    skip_blanks();
    if (!take(':')) return;
    skip_blanks();
    const std::size_t begin = at_;
    std::string_view number = text_.substr(at_);
    number = number.substr(0, number.find_first_of(kPunctuation));
    at_ += number.size();
    if (number.starts_with('+')) number.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    // A node that replaced its parent of one child keeps its own length as well.
    OpenNode& node = open_.back();
    const double length = node.length + std::max(value, 0.0);
    if (status != std::errc() || end != number.data() + number.size() || !std::isfinite(value) ||
        length > kLongest) {
      throw error(begin, quote(number) + " is not a branch length");
    }
    negative_ += value < 0;
    node.length = length;
    node.has_length = true;
    any_length_ = true;
  }

  /// Replaces the children of the innermost group by one node.
  void close_group() {
    const std::size_t first = groups_.back().first_child;
    groups_.pop_back();
    open_.erase(std::remove_if(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end(),
                               [](const OpenNode& child) { return child.node == kPruned; }),
                open_.end());
    if (open_.size() == first) return open_.push_back({kPruned, 0.0, false});
    OpenNode merged = open_[first];
    for (std::size_t k = first + 1; k < open_.size(); ++k) {
      if (k > first + 1) merged = {merged.node, 0.0, true};  // a branch that is not in the text
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
    return {node, 0.0, false};
  }

  GuideTree finish() {
    std::size_t missing = 0;
    std::string names;
    for (std::size_t x = 0; x < set_.size(); ++x) {
      if (used_[x]) continue;
      if (++missing <= 3) names += (missing > 1 ? ", " : "") + quote(names_[x]);
    }
    if (missing > 0) {
      throw Error(ErrorKind::bad_input,
                  label_ + ": " + std::to_string(missing) + " of " + std::to_string(set_.size()) +
                      " sequences are not in the tree: " + names + (missing > 3 ? ", ..." : ""),
                  "add them to the tree, or leave them out of the input; {prune} of "
                  "'accord likelihood' leaves such rows out");
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
  const std::vector<std::string> names_, plain_names_;  ///< canonical, and in input order
  NewickLengths lengths_;
  std::vector<std::string>* pruned_;  ///< gets the leaves that are no sequences; else an error
  std::size_t at_ = 0, negative_ = 0;
  std::optional<NexusTree> nexus_;
  std::unordered_map<std::string_view, std::uint32_t> leaf_of_;  ///< by each of its names
  std::vector<bool> used_;                                       ///< leaves that were met
  std::vector<Group> groups_;
  std::vector<OpenNode> open_;
  GuideTree tree_;
  std::vector<bool> has_length_;  ///< one per node of tree_
  bool any_length_ = false;
};

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

GuideTree read_newick(const std::string& path, const SequenceSet& set, NewickLengths lengths) {
  return parse_newick(read_text(path), input_label(path), set, lengths);
}

GuideTree parse_newick(std::string_view text, const std::string& label, const SequenceSet& set,
                       NewickLengths lengths) {
  return NewickParser(text, label, set, lengths, nullptr).parse();
}

GuideTree parse_newick_pruned(std::string_view text, const std::string& label,
                              const SequenceSet& set, NewickLengths lengths) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> pruned;
  GuideTree tree = NewickParser(text, label, set, lengths, &pruned).parse();
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
  return NewickParser(text, label, set, NewickLengths::any, &others).leaves();
}

std::string format_newick(const GuideTree& tree_of_any_lengths, const SequenceSet& set) {
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
    path.pop_back();
    if (!path.empty()) append_length(text, tree.length[node]);
  }
  return text + ";\n";
}

}  // namespace accord
