// SPDX-License-Identifier: Apache-2.0
#include "io/trees/newick_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/nexus_words.hpp"

namespace accord {
namespace {

/// The first tree of a NEXUS text.
struct NexusTree {
  std::size_t begin = 0;  ///< offset of its Newick text in the NEXUS text, in bytes
  std::size_t count = 0;  ///< number of trees in the text
  /// The name for each label that the text translates: a key of `translate` or a number of a taxon.
  std::unordered_map<std::string, std::string> names;
};

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

/// Finds the first tree in the trees block of a NEXUS text; `label` names the text in messages.
/// Throws  Error{bad_input} if there is no tree, or if the text is cut off.
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

constexpr std::string_view kBlanks = " \t\v\f\r\n";
/// Characters that end a label without quotes.
constexpr std::string_view kPunctuation = "()[]':;, \t\v\f\r\n";

constexpr double kLongest = 3.40282356e38;  // the largest length in single precision

/// Reads one tree. Open parentheses are on an explicit stack.
class NewickReader {
 public:
  NewickReader(std::string_view text, const std::string& label) : text_(text), label_(label) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
    if (looks_like_nexus(text)) {
      nexus_ = find_nexus_tree(text, label);
      at_ = nexus_->begin;
      tree_.trees = nexus_->count;
    }
  }

  NewickText read() {
    bool node_expected = true;
    while (true) {
      skip_blanks();
      if (node_expected) {
        if (take('(')) {
          if (groups_.empty()) tree_.head = std::exchange(comments_, {});
          groups_.push_back({at_ - 1, 0});
          continue;
        }
        read_leaf();
        node_expected = false;
      } else if (!groups_.empty() && take(',')) {
        node_expected = true;
      } else if (!groups_.empty() && take(')')) {
        close_group();
      } else if (groups_.empty() && take(';')) {
        break;
      } else {
        fail_after_node();
      }
    }
    if (!nexus_) {
      skip_blanks();
      if (peek() == '(') {
        throw newick_error(text_, label_, at_, "a second tree in one file", "give one of them");
      }
      if (at_ < text_.size()) throw error(at_, "there is text after the end of the tree");
    }
    return std::move(tree_);
  }

 private:
  struct Group {
    std::size_t position;    ///< position of its '('
    std::uint32_t children;  ///< so far
  };

  /// The next character; 0 at the end of the text.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Error error(std::size_t position, const std::string& what) const {
    return newick_error(text_, label_, position, what);
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

  /// Skips white space and comments, which may be nested. Stores the comments.
  void skip_blanks() {
    std::size_t depth = 0, comment = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[') {
        if (depth++ == 0) comment = at_;
      } else if (c == ']' && depth > 0) {
        if (--depth == 0) comments_ += text_.substr(comment, at_ + 1 - comment);
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
    add({0, begin, std::move(name), {}, {}});
  }

  void close_group() {
    const std::uint32_t children = groups_.back().children;
    groups_.pop_back();
    skip_blanks();
    std::string name;
    if (is_quote(peek()) || kPunctuation.find(peek()) == kPunctuation.npos) name = read_label();
    add({children, at_, std::move(name), {}, {}});
  }

  /// Adds a node, and reads its length, if one follows.
  void add(NewickText::Node node) {
    tree_.nodes.push_back(std::move(node));
    if (!groups_.empty()) ++groups_.back().children;
    skip_blanks();
    tree_.nodes.back().comment = std::exchange(comments_, {});
    read_length(tree_.nodes.back());
    skip_blanks();
    tree_.nodes.back().tail = std::exchange(comments_, {});
  }

  /// Reads ":NUMBER", if it is next.
  void read_length(NewickText::Node& node) {
    if (!take(':')) return;
    skip_blanks();
    const std::size_t begin = at_;
    std::string_view number = text_.substr(at_);
    number = number.substr(0, number.find_first_of(kPunctuation));
    at_ += number.size();
    if (number.starts_with('+')) number.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (status != std::errc() || end != number.data() + number.size() || !std::isfinite(value) ||
        value > kLongest) {
      throw error(begin, quote(number) + " is not a branch length");
    }
    tree_.negative += value < 0;
    node.length = std::max(value, 0.0);
    node.has_length = true;
  }

  std::string_view text_;
  const std::string& label_;
  std::size_t at_ = 0;
  std::optional<NexusTree> nexus_;
  std::vector<Group> groups_;
  std::string comments_;  ///< since the last node
  NewickText tree_;
};

}  // namespace

NewickText read_newick_text(std::string_view text, const std::string& label) {
  // Bytes of a node in the list of nodes, which is copied as it grows, and in the tree made of it.
  constexpr std::size_t kOfNode = 3 * sizeof(NewickText::Node) + 128;
  const auto nodes = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '('; }));
  check_reading(2 * text.size() + kOfNode * nodes, label, "the nodes of the tree");
  return NewickReader(text, label).read();
}

Error newick_error(std::string_view text, const std::string& label, std::size_t position,
                   const std::string& what, const std::string& hint) {
  const std::string_view before = text.substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return Error(ErrorKind::bad_input,
               label + ":" + std::to_string(line) + ":" +
                   std::to_string(position - line_begin + 1) + ": " + what,
               hint);
}

}  // namespace accord
