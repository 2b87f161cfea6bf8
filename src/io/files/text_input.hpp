// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "accord/base/error.hpp"
#include "io/files/text_sink.hpp"

namespace accord {

/// Names an input in messages: its path, or "stdin" for "-".
std::string input_label(const std::string& path);

/// Passes the bytes of a file, or of standard input for "-", to `taker` in parts, in order, as they
/// are stored (not unpacked). A part is valid only during the call of `taker`.
/// Throws  Error{no_input} if it cannot be opened or read; what `taker` throws.
void read_in_parts(const std::string& path, const ByteTaker& taker);

/// The most that an input may have. A reader of FASTA stops soon after the input has more.
struct ReadLimits {
  std::optional<int> sequences;  ///< no limit if not set
  std::optional<int> residues;   ///< of one sequence; no limit if not set
};

/// The bytes of a file, or of standard input for "-".
/// Throws  as read_in_parts; Error{out_of_memory} as check_reading; Error{bad_input} if the bytes
///         are FASTA that exceeds `limits`.
std::string read_bytes(const std::string& path, const ReadLimits& limits = {});

/// Throws if the beginning of `text` shows that it is not text in bytes: UTF-16, an archive, or
/// packed. `label` names it in messages.
/// Throws  Error{bad_input} that says what it is.
void check_is_text(std::string_view text, const std::string& label);

/// Returns bytes as text. Bytes packed by gzip, bzip2, xz or zstd are recognised by their first
/// bytes and unpacked, also if they have several members, as those of bgzip. `label` names them in
/// messages.
/// Throws  Error{bad_input} if they are truncated or corrupt, or not text in bytes: UTF-16, an
///         archive, or packed twice; for packed bytes as read_bytes for `limits` and the memory.
std::string unpacked(std::string bytes, const std::string& label, const ReadLimits& limits = {});

/// The text of a file, or of standard input for "-", unpacked if necessary: unpacked() of
/// read_bytes().
/// Throws  as read_bytes and unpacked.
std::string read_text(const std::string& path, const ReadLimits& limits = {});

/// `text` in double quotes, for a message: printable() of at most 40 bytes. Not called 'quoted',
/// since where <iomanip> is included std::quoted is a better match for a std::string.
std::string quote(std::string_view text);

/// Returns an Error{bad_input} about one line of an input, "LABEL:LINE: TEXT"; the caller throws
/// it. `line`: number of the line, from 1. `hint`: advice for the user; may be empty.
Error line_error(const std::string& label, std::size_t line, const std::string& text,
                 const std::string& hint = {});

/// True for blanks, tabs and line ends.
bool is_white_space(char c);
/// True if the line has nothing but white space.
bool is_blank(std::string_view line);
/// Removes the first word, and all white space in front of it, from a line, and returns the word;
/// empty if there is none. White space ends a word. The word is a view into the text of the line.
std::string_view take_word(std::string_view& line);
/// The line without white space at either end.
std::string_view trimmed(std::string_view line);

/// Iterates over the lines of a text. Lines end with LF, CRLF or CR; a byte order mark at the start
/// is skipped. The text must outlive the reader.
class LineReader {
 public:
  /// `lines_before`: number of lines in front of the text, for number().
  explicit LineReader(std::string_view text, std::size_t lines_before = 0);

  /// Moves to the next line and returns true, or returns false at the end.
  bool next();
  /// The current line without its end.
  std::string_view line() const noexcept { return line_; }
  /// The number of the current line, from 1, counting `lines_before`.
  std::size_t number() const noexcept { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// Counts the sequences of FASTA, and the residues of each, in a text that comes in parts, so that
/// a large text is not read to its end if it exceeds the limits. It never counts more than there
/// are; whoever has the whole text counts exactly.
class RecordWatch {
 public:
  /// `label` names the text in messages; it must outlive this object.
  RecordWatch(const ReadLimits& limits, const std::string& label);

  /// Counts the next part. A text that does not begin with `>`, or is PIR, is not counted.
  /// Throws  Error{bad_input} if a limit is exceeded, and the text is so long that reading on would
  ///         take time.
  void add(std::string_view part);

 private:
  void count(char c);
  void count_letter(char c);
  void check() const;

  const ReadLimits limits_;
  const std::string& label_;
  std::size_t bytes_ = 0, sequences_ = 0, residues_ = 0, longest_ = 0;
  std::size_t in_line_ = 0;     ///< characters of the current line that were counted
  char first_ = 0;              ///< the first character of the current header
  bool is_header_ = false;      ///< whether the current line begins with `>`
  bool is_comment_ = false;     ///< whether the current line begins with `;` or `#`
  bool is_annotation_ = false;  ///< whether the current record is none of a sequence
  bool is_watched_;
};

/// Returns an Error{bad_input} for an input with more sequences, or a longer sequence, than the
/// limits, which must be set; the caller throws it. `is_more`: there may be more than the count.
Error too_many(const std::string& label, std::size_t sequences, const ReadLimits& limits,
               bool is_more = false);
Error too_long(const std::string& label, std::size_t residues, const ReadLimits& limits,
               bool is_more = false);

}  // namespace accord
