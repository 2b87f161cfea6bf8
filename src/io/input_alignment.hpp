// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/family_reader.hpp"

namespace accord {

/// An alignment as read from a file.
struct InputAlignment {
  std::vector<SequenceRecord> rows;  ///< letters and gaps, of one length, in input order
  SequenceSet set;                   ///< the sequences without gaps
  std::string label;                 ///< names the file in messages

  /// For each sequence of the set, in canonical order, the index of its row in `rows`.
  std::vector<std::size_t> row_of() const;
};

/// Reads the first file of a source as an alignment; `source.files` must not be empty.
/// Throws  Error{bad_input} if the rows have different lengths; Error{usage} if the source asks to
///         turn sequences; as read_family otherwise.
InputAlignment read_input_alignment(const FamilySource& source);

}  // namespace accord
