// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "io/family_reader.hpp"

namespace accord {

/// Alignments that stay as they are, and sequences, which are one family together.
class GivenAlignments {
 public:
  /// Reads the alignments of some files, then the sequences of others; `with_checksums` asks for
  /// the checksums of the files. A warning says which markup of sequences is dropped.
  /// Throws  as read_text, records_of, make_family and check_size; Error{bad_input} for a file
  ///         without rows, rows of different length, a name that occurs twice.
  GivenAlignments(const std::vector<std::string>& alignments,
                  const std::vector<std::string>& sequences, const FamilySource& source,
                  bool with_checksums = false);

  /// Records, and what they are called in messages.
  struct Block {
    std::string label;
    std::vector<SequenceRecord> records;
  };
  /// The same of rows, gaps included, and of sequences without gaps that a caller has.
  /// Throws  as above.
  GivenAlignments(const std::vector<Block>& alignments, std::vector<Block> sequences,
                  const FamilySource& source, const std::string& label);

  /// All sequences, without gaps, in the order in which they were read, and the files.
  const FamilyInput& input() const noexcept { return input_; }
  const SequenceSet& set() const noexcept { return input_.set; }
  /// The alignments, in the order of the files.
  const std::vector<AlignedPart>& parts() const noexcept { return parts_; }
  /// What the files of the alignments say beside the rows.
  const std::vector<AlignmentNotes>& notes() const noexcept { return notes_; }

 private:
  void join(const std::vector<Block>& alignments, std::vector<Block> sequences,
            const FamilySource& source, const std::string& label);

  FamilyInput input_;
  std::vector<AlignedPart> parts_;
  std::vector<AlignmentNotes> notes_;
};

/// Warns of the sequences behind the first alignment that have too few residues to say where they
/// belong.
void warn_of_fragments(const GivenAlignments& given);

}  // namespace accord
