// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"

namespace accord {

/// The given alignments, which stay as they are, and sequences that are not aligned yet. Together
/// they are one family.
class GivenAlignments {
 public:
  /// Reads the alignments of some files, then the sequences of others. `with_checksums` requests
  /// the checksums of the files. Tracks are those of a file or of markup. If there are such tracks
  /// and their table is ss3, structures among the sequences that they leave out bring their
  /// secondary structure. Warns of markup of sequences that is dropped.
  /// Throws  as MarkupTracks, read_text, records_of, make_family and check_size; Error{bad_input}
  ///         for a file without rows, rows of different length, and a name that occurs twice.
  GivenAlignments(const std::vector<std::string>& alignments,
                  const std::vector<std::string>& sequences, const FamilySource& source,
                  bool with_checksums = false);

  /// Records, and their name in messages.
  struct Block {
    std::string label;
    std::vector<SequenceRecord> records;
  };
  /// Takes records that the caller has read: rows with gaps `-`, of one length in each alignment
  /// (not checked) and at least one row each, and sequences without gaps. `label` names the family
  /// in messages. The notes of the alignments are empty.
  /// Throws  as make_family and check_size; Error{bad_input} for a name that occurs twice.
  GivenAlignments(const std::vector<Block>& alignments, std::vector<Block> sequences,
                  const FamilySource& source, const std::string& label);

  /// All sequences, without gaps, in the order of reading, and the files.
  const FamilyInput& input() const noexcept { return input_; }
  const SequenceSet& set() const noexcept { return input_.set; }
  /// The alignments, in the order of the files.
  const std::vector<AlignedPart>& parts() const noexcept { return parts_; }
  /// The notes of the alignments, in the same order.
  const std::vector<AlignmentNotes>& notes() const noexcept { return notes_; }

 private:
  void join(const std::vector<Block>& alignments, std::vector<Block> sequences,
            const FamilySource& source, const std::string& label);

  FamilyInput input_;
  std::vector<AlignedPart> parts_;
  std::vector<AlignmentNotes> notes_;
};

/// Warns of each sequence with fewer than 5 residues that is not a row of the first alignment: its
/// residues are too few to show its place there. `given` must have an alignment.
void warn_of_fragments(const GivenAlignments& given);

}  // namespace accord
