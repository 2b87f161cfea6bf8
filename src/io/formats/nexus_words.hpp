// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "accord/base/error.hpp"

namespace accord {

/// True for a text that begins with the word #NEXUS, in any case.
bool looks_like_nexus(std::string_view text);

/// Walks over the words of a NEXUS text (Maddison et al. 1997, Syst Biol 46:590). Comments in
/// brackets, which may be nested, are skipped. The text must outlive it.
class NexusWords {
 public:
  /// Begins behind #NEXUS; `label` names the text in messages.
  NexusWords(std::string_view text, std::string label);

  bool is_at_end() const noexcept { return at_ >= text_.size(); }
  /// The next character; 0 at the end of the text.
  char peek() const { return is_at_end() ? '\0' : text_[at_]; }
  /// Goes on by a character; there must be one.
  void advance();
  /// The place in the text, and the number of its line, from 1.
  std::size_t place() const noexcept { return at_; }
  std::size_t line() const noexcept { return line_; }

  /// Skips white space and comments; not beyond the line if it is to be kept.
  /// Throws  Error{bad_input} for a comment that is never closed.
  void skip_blanks(bool stays_in_line = false);

  /// The next word: a quoted one, one of the marks `=;,`, or letters up to a blank or a mark. Empty
  /// at the end of the text.
  /// Throws  Error{bad_input} for a quote or a comment that is never closed.
  std::string word();

  /// Skips the rest of a command, with its ';'.
  /// Throws  Error{bad_input} if there is no ';'.
  void skip_command();

  /// Error{bad_input} about the current line.
  Error complaint(const std::string& what) const;
  Error complaint(const std::string& what, const std::string& hint) const;

 private:
  std::string quoted_word();

  std::string_view text_;
  std::string label_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace accord
