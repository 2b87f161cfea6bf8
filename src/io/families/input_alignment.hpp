// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"

namespace accord {

/// An alignment as read from a file.
struct InputAlignment {
  std::vector<SequenceRecord> rows;  ///< letters and gaps, of one length, in input order
  SequenceSet set;                   ///< the sequences without gaps
  std::string label;                 ///< names the file in messages

  /// For each sequence of the set, in canonical order, the index of its row in `rows`.
  std::vector<std::size_t> row_of() const;
  /// The letters of the rows, gaps as `-`, in input order.
  std::vector<std::string> texts() const;
};

/// Reads the first file of a source as an alignment; `source.files` must not be empty.
/// Throws  Error{bad_input} if the rows have different lengths; Error{usage} if the source asks to
///         turn sequences; as read_family otherwise.
InputAlignment read_input_alignment(const FamilySource& source);

/// The input of a command that takes an alignment as it is, and aligns other sequences.
struct RowsOrSequences {
  std::optional<InputAlignment> aligned;  ///< not set: `inputs` is to be aligned
  std::vector<InputText> inputs;          ///< for family_of_inputs()
};

/// Reads the inputs of a source. A finished alignment is one input of at least two rows, which have
/// one length and gaps; a notice says that it is taken as it is. Its sequences are to be aligned
/// all the same if the source asks for the removal or the refusal of gaps, or to turn sequences.
/// `is_aligned`: the input is an alignment in any case.
/// Throws  as read_inputs, records_of, make_family and check_size; with `is_aligned` as
///         read_input_alignment.
RowsOrSequences read_rows_or_sequences(const FamilySource& source, bool is_aligned);

}  // namespace accord
