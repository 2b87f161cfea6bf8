// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// An alignment as read from a file, with all columns.
struct AlignedFamily {
  std::string label;  ///< the name of the file in messages
  AlignmentFormat format = AlignmentFormat::fasta;
  SequenceSet set;                ///< the sequences, without gaps
  std::vector<std::string> rows;  ///< in input order, of one length, gaps as `-`
  AlignmentNotes notes;           ///< the markup and confidence in the file

  std::size_t columns() const { return rows.empty() ? 0 : rows[0].size(); }
};

/// Reads the alignment in a file ("-" is standard input), with the options of the source.
/// Throws  as records_of, make_family and check_size; Error{bad_input} if rows differ in length.
AlignedFamily read_aligned(const std::string& file, const FamilySource& source);
/// The alignment in a text; `label` names it in messages.
/// Throws  as read_aligned.
AlignedFamily aligned_in(std::string text, const std::string& label, const FamilySource& source);

/// An alignment of a file, not read yet.
struct FileAlignment {
  std::string file;  ///< in messages
  std::string name;  ///< of several in the file; empty: the only one
  std::string text;

  /// Its name in messages: "DIR/FILE" or "DIR/FILE:NAME".
  std::string label() const { return name.empty() ? file : file + ":" + name; }
  /// The same without the directory.
  std::string title() const;
};

/// The alignments of all files; of a file with several (alignments_in) all, unless
/// `source.reading.replicate` names one.
/// Throws  as read_text; as text_of_alignment.
std::vector<FileAlignment> alignments_of(const std::vector<std::string>& files,
                                         const FamilySource& source);

/// Whether a text is an alignment at first sight: several alignments, or two rows or more of one
/// length with a gap.
bool looks_aligned(std::string_view text, const std::string& label);

/// Removes the rows r (in input order) with !kept[r], and their notes.
void keep_rows(AlignedFamily& aligned, const std::vector<bool>& kept);

/// For each column, whether it has a residue.
std::vector<bool> used_columns(const AlignedFamily& aligned);

/// The alignment of the columns c with kept[c]; the other columns must not have residues.
Msa msa_of(const AlignedFamily& aligned, const std::vector<bool>& kept);

/// Prepares the alignment for writing, with its markup and match columns, and with `confidence`; if
/// that is null, with the confidence in the file. `style.order` must be null.
AlignmentText text_of(const AlignedFamily& aligned, RowStyle style = {},
                      const Confidence* confidence = nullptr);

/// The same for the columns c with kept[c], as in msa_of(). `confidence` has values for these
/// columns only.
AlignmentText text_of(const AlignedFamily& aligned, const std::vector<bool>& kept, RowStyle style,
                      const Confidence* confidence);

/// Warns of the notes that files of these formats cannot hold.
void warn_of_lost_notes(const AlignmentNotes& notes, const std::vector<AlignmentFormat>& formats);

/// Reads the rows of the alignment in a text, gaps included; `label` names it in messages.
/// Throws  as records_of; Error{bad_input} if it has no columns, or if rows differ in length.
std::vector<SequenceRecord> aligned_records_of(std::string_view text, const std::string& label,
                                               const ReadOptions& options);

/// The letters of a row, without its gaps, `-` and `.`.
std::string letters_alone(std::string_view row);
/// The same rows, without their gaps.
std::vector<SequenceRecord> without_gaps(const std::vector<SequenceRecord>& rows);

/// For each residue of a row, its column, from 0. Gaps are `-` and `.`.
std::vector<std::uint32_t> columns_of_row(std::string_view row);

}  // namespace accord
