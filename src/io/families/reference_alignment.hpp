// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"

namespace accord {

/// Reads an alignment in FASTA, CLUSTAL, MSF or BAliBASE XML, recognised by its content, plain or
/// packed. All columns count: `core_columns` is empty, and case has no meaning.
///
/// Names end at the first white space. The gap characters `-`, `.` and (MSF) `~` become `-`.
/// Throws  Error{no_input} as read_text; Error{bad_input} with the file for an unknown format, no
///         rows, rows of different length, equal names, a character that is not allowed in an
///         alignment, or several alignments.
AlignedRows read_alignment(const std::string& path);

/// Reads all alignments of a file: those of alignments_in(), whose sources are "FILE:NAME", else
/// the one of read_alignment().
/// Throws  as read_alignment.
std::vector<AlignedRows> read_alignments(const std::string& path);

/// Reads an alignment as read_alignment, with the columns that a benchmark scores:
/// FASTA   the columns of upper-case letters, if it has letters of both cases (qscore, PREFAB);
///         else all. A column with letters of both cases is an Error{bad_input}.
/// XML     the columns whose `coreblock` column-score is 1; all if there is none (BAliBASE 3).
/// others  all columns.
/// Throws  as read_alignment.
AlignedRows read_reference_alignment(const std::string& path);

}  // namespace accord
