// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "accord/core/msa.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

/// File formats of an alignment.
enum class AlignmentFormat { fasta, clustal };

/// The alignment as text: rows in input order, letters as in the input, gaps as `-`.
///
/// fasta    whole headers, lines of 60 columns.
/// clustal  blocks of 60 columns; names without white space (see plain_name); below each block a
///          line with `*` for the columns in which all rows have the same letter (in any case).
/// Errors   Error{internal} if the alignment does not have the rows and residues of `set`.
std::string format_alignment(const SequenceSet& set, const Msa& msa, AlignmentFormat format);

}  // namespace accord
