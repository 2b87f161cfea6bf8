// SPDX-License-Identifier: Apache-2.0
#include "io/formats/nexus_words.hpp"

#include <utility>

#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

}  // namespace

bool looks_like_nexus(std::string_view text) {
  constexpr std::string_view kNexus = "#nexus";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  return lower_case(text.substr(0, kNexus.size())) == kNexus;
}

NexusWords::NexusWords(std::string_view text, std::string label)
    : text_(text), label_(std::move(label)) {
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  word();  // #NEXUS
}

void NexusWords::advance() {
  if (text_[at_] == '\n') ++line_;
  ++at_;
}

Error NexusWords::complaint(const std::string& what) const {
  return complaint(what,
                   "of an alignment the matrix of its data or characters block is read, of a tree "
                   "file the first tree; was the file cut off?");
}

Error NexusWords::complaint(const std::string& what, const std::string& hint) const {
  return line_error(label_, line_, "NEXUS: " + what, hint);
}

void NexusWords::skip_blanks(bool stays_in_line) {
  std::size_t depth = 0;
  for (; at_ < text_.size(); advance()) {
    const char c = text_[at_];
    if (c == '[') {
      ++depth;
    } else if (c == ']' && depth > 0) {
      --depth;
    } else if (depth == 0 && (!is_white_space(c) || (stays_in_line && is_line_end(c)))) {
      return;
    }
  }
  if (depth > 0) throw complaint("a comment is never closed");
}

std::string NexusWords::word() {
  skip_blanks();
  if (is_at_end()) return {};
  if (peek() == '\'' || peek() == '"') return quoted_word();
  constexpr std::string_view kMarks = "=;,";
  std::string result;
  while (!is_at_end() && !is_white_space(peek()) && peek() != '[') {
    if (kMarks.find(peek()) != kMarks.npos) {
      if (result.empty()) {
        result = peek();
        advance();
      }
      break;
    }
    result += peek();
    advance();
  }
  return result;
}

std::string NexusWords::quoted_word() {
  const char mark = peek();
  std::string result;
  for (advance(); !is_at_end() && !is_line_end(peek()); advance()) {
    if (peek() == mark) {
      advance();
      if (peek() != mark) return result;
    }
    result += peek();
  }
  throw complaint("a quoted word is not closed in its line");
}

void NexusWords::skip_command() {
  for (std::string next = word(); next != ";"; next = word()) {
    if (next.empty() && is_at_end()) throw complaint("a command is never closed by ';'");
  }
}

}  // namespace accord
