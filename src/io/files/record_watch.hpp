// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "io/files/text_input.hpp"

namespace accord {

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
