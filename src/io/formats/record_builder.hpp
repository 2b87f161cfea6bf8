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

/// Rows under construction, found by name, for readers of formats that come in blocks.
class RecordBuilder {
 public:
  /// `label` names the text in messages. Characters that cannot stand in an alignment are counted
  /// in `left_out`, if it is given, and replaced by gaps, so that the columns stay.
  explicit RecordBuilder(std::string label, OddCharacters* left_out = nullptr)
      : label_(std::move(label)), left_out_(left_out) {}

  bool has(std::string_view name) const { return index_.contains(std::string(name)); }
  std::size_t size() const { return records_.size(); }

  /// Adds an empty row; false if the name is taken.
  bool add(std::string_view name);

  /// Appends letters and gaps to the row of a name, or of a number; white space is skipped.
  /// Throws  Error{bad_input} with the line for anything else, unless that is to be left out;
  ///         Error{internal} if there is no such row.
  void append(std::string_view name, std::string_view letters, std::size_t line);
  void append(std::size_t row, std::string_view letters, std::size_t line);

  /// The same for a format in blocks, each of which has a line of a row.
  void append_line(std::string_view name, std::string_view letters, std::size_t line);

  /// Says that the lines of a block are read, up to `line`: those that append_line() has had since
  /// the block before.
  /// Throws  Error{bad_input} if a row has two lines in it, or lines differ in length.
  void end_block(std::size_t line);

  /// Adds to the header of a row, after a blank.
  void describe(std::string_view name, std::string_view description);

  /// Length of a row so far, gaps included.
  std::size_t length(std::size_t row) const { return records_[row].letters.size(); }

  /// The rows.
  /// Throws  Error{bad_input} if there are none.
  std::vector<SequenceRecord> finish();
  /// The same for formats that hold nothing but alignments.
  /// Throws  Error{bad_input} as finish(), and if rows differ in length.
  std::vector<SequenceRecord> finish_aligned();

 private:
  std::string label_;
  OddCharacters* left_out_;
  std::vector<SequenceRecord> records_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::size_t> block_rows_;   ///< in the block so far
  std::vector<std::size_t> block_begin_;  ///< by row: its length before the block
};

/// The complaint about a second row of the same name.
Error two_rows_error(const std::string& label, std::size_t line, std::string_view name);

}  // namespace accord
