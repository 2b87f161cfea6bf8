// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "accord/base/error.hpp"

namespace accord {

/// True for a text that begins with the word #NEXUS, in any case.
bool looks_like_nexus(std::string_view text);

/// Iterates over the words of a NEXUS text (Maddison et al. 1997, Syst Biol 46:590). Comments in
/// brackets, which may be nested, are skipped. The text must outlive this object.
class NexusWords {
 public:
  /// Skips the first word of the text, which must be #NEXUS (see looks_like_nexus). `label` names
  /// the text in messages.
  /// Throws  as word().
  NexusWords(std::string_view text, std::string label);

  bool is_at_end() const noexcept { return at_ >= text_.size(); }
  /// The next character; 0 at the end of the text.
  char peek() const { return is_at_end() ? '\0' : text_[at_]; }
  /// Advances by one character; there must be one.
  void advance();
  /// The offset in the text, and the number of the line, from 1.
  std::size_t place() const noexcept { return at_; }
  std::size_t line() const noexcept { return line_; }

  /// Skips white space and comments; with `stays_in_line`, not beyond the end of the line.
  /// Throws  Error{bad_input} for a comment that is not closed.
  void skip_blanks(bool stays_in_line = false);

  /// Skips white space and comments, then reads and returns the next word: a word in quotes (' or
  /// "), without them; one of the marks `=;,`; or characters up to white space, a comment or a
  /// mark. Empty at the end of the text.
  /// Throws  Error{bad_input} for a quote that is not closed in its line, or a comment that is not
  ///         closed.
  std::string word();

  /// Skips the rest of a command, including its ';'.
  /// Throws  Error{bad_input} if there is no ';'.
  void skip_command();

  /// Returns an Error{bad_input} about the current line, "LABEL:LINE: NEXUS: WHAT"; the caller
  /// throws it. Without `hint`, the hint names the parts of a NEXUS file that are read.
  Error complaint(const std::string& what) const;
  Error complaint(const std::string& what, const std::string& hint) const;

 private:
  std::string quoted_word();

  std::string_view text_;
  std::string label_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace accord
