// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accord/base/error.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord {

/// Builds rows by name, for readers of formats in which rows come in blocks.
class RecordBuilder {
 public:
  /// Begins without rows. `label` names the text in messages. If `left_out` is not null, characters
  /// that are not allowed in an alignment are counted there and become gaps, so that the columns
  /// stay; it must outlive the builder.
  explicit RecordBuilder(std::string label, OddCharacters* left_out = nullptr)
      : label_(std::move(label)), left_out_(left_out) {}

  /// Whether there is a row with this name.
  bool has(std::string_view name) const { return index_.contains(std::string(name)); }
  /// The number of the row with this name, which must exist, from 0.
  std::size_t row_of(std::string_view name) const { return index_.at(std::string(name)); }
  /// The number of rows.
  std::size_t size() const { return records_.size(); }

  /// Adds an empty row. Returns false if the name is taken.
  /// Throws  Error{out_of_memory} as check_reading, also in append().
  bool add(std::string_view name);

  /// Appends letters and gaps to a row, given by its name or by its number from 0. The gap `~`
  /// becomes `-`; `-` and `.` stay. White space is skipped. `line`: the number of the line in the
  /// text, from 1, for messages.
  /// Throws  Error{bad_input} with the line for other characters, unless `left_out` counts them;
  ///         Error{internal} if no row has the name. A row with the number must exist.
  void append(std::string_view name, std::string_view letters, std::size_t line);
  void append(std::size_t row, std::string_view letters, std::size_t line);

  /// Appends a line of the current block to a row, as append() does. For formats in which each row
  /// has one line in a block.
  void append_line(std::string_view name, std::string_view letters, std::size_t line);

  /// Ends a block at line `line`. The block consists of the calls of append_line() since the last
  /// block.
  /// Throws  Error{bad_input} if a row has two lines in the block, or lines of the block differ in
  ///         length.
  void end_block(std::size_t line);

  /// Appends a blank and a description to the header of a row, if there is such a row and the
  /// description is not empty.
  void describe(std::string_view name, std::string_view description);

  /// The length of a row so far, gaps included.
  std::size_t length(std::size_t row) const { return records_[row].letters.size(); }

  /// Returns the rows, in the order of add(). Call finish() or finish_aligned() once, at the end.
  /// Throws  Error{bad_input} if there are none.
  std::vector<SequenceRecord> finish();
  /// Returns the rows, for formats that hold alignments only.
  /// Throws  Error{bad_input} as finish(), and if rows differ in length.
  std::vector<SequenceRecord> finish_aligned();

 private:
  /// Counts memory that the rows take.
  void count(std::size_t bytes);

  std::string label_;
  std::size_t bytes_ = 0;    ///< of memory, estimated
  std::size_t checked_ = 0;  ///< bytes_ when it was last compared with the limit
  OddCharacters* left_out_;
  std::vector<SequenceRecord> records_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::size_t> block_rows_;   ///< rows of the current block
  std::vector<std::size_t> block_begin_;  ///< [row]: its length before the block
};

/// Returns an Error{bad_input} that line `line` (from 1) of the text `label` has a second row with
/// the name `name`; the caller throws it.
Error two_rows_error(const std::string& label, std::size_t line, std::string_view name);

}  // namespace accord
