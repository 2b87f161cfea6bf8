// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/aligned_rows.hpp"

namespace accord {

/// An alignment in FASTA, CLUSTAL, MSF or BAliBASE XML (recognised by its content, plain or gzip);
/// all columns count (`core_columns` is empty), so that lower case has no meaning.
///
/// Names end at the first white space. The gap characters `-`, `.` and (MSF) `~` become `-`.
/// Throws  Error{no_input} as read_text; Error{bad_input} with the file for an unknown format,
///         no rows, rows of different length, equal names, or a character that cannot stand in an
///         alignment.
AlignedRows read_alignment(const std::string& path);

/// As read_alignment, with the columns that a benchmark scores:
/// FASTA   if it has letters of both cases, the columns of upper-case letters (qscore, PREFAB);
///         else all. A column with letters of both cases is an Error{bad_input}.
/// XML     the columns whose `coreblock` column-score is 1; all if there is none (BAliBASE 3).
/// others  all columns.
AlignedRows read_reference_alignment(const std::string& path);

}  // namespace accord
