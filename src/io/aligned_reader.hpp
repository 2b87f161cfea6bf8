// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/family_reader.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// An alignment as it was read, every column kept.
struct AlignedFamily {
  std::string label;
  AlignmentFormat format = AlignmentFormat::fasta;
  SequenceSet set;                ///< the sequences without gaps
  std::vector<std::string> rows;  ///< input order, all of one length, gaps as `-`
  AlignmentNotes notes;           ///< what else the file says

  std::size_t columns() const { return rows.empty() ? 0 : rows[0].size(); }
};

/// The alignment in a file ("-" is standard input), with the options of the source.
/// Throws  as records_of, make_family and check_size; Error{bad_input} if rows differ in length.
AlignedFamily read_aligned(const std::string& file, const FamilySource& source);

/// Leaves out all rows but those that are `kept` (input order), with their notes.
void keep_rows(AlignedFamily& aligned, const std::vector<bool>& kept);

/// Which columns have a residue.
std::vector<bool> used_columns(const AlignedFamily& aligned);

/// The alignment of the columns that are `kept`; no other column may have residues.
Msa msa_of(const AlignedFamily& aligned, const std::vector<bool>& kept);

/// The alignment to be written, with its markup and match columns, and with the confidence of all
/// of its columns, if there is one; `style` has no order.
AlignmentText text_of(const AlignedFamily& aligned, RowStyle style = {},
                      const Confidence* confidence = nullptr);

/// The alignment of the columns that are `kept`, as msa_of(), with their notes and confidence.
AlignmentText text_of(const AlignedFamily& aligned, const std::vector<bool>& kept, RowStyle style,
                      const Confidence* confidence);

/// Says which notes the files of these formats have no place for.
void warn_of_lost_notes(const AlignmentNotes& notes, const std::vector<AlignmentFormat>& formats);

}  // namespace accord
