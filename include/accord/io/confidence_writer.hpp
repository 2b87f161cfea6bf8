// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "accord/core/confidence.hpp"
#include "accord/core/msa.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

/// The confidence of an alignment as tab-separated values under a header line: column by column a
/// line for the column, then one for each of its residues, in input order.
///
/// level       `column` or `residue`
/// column      number of the column, from 1
/// sequence    name of the sequence; `-` for a column
/// residue     number of the residue in its sequence, from 1; `-` for a column
/// letter      the residue; `-` for a column
/// pairs       pairs behind the figure
/// confidence  in [0, 1], 4 decimals; `NA` for a column without pairs
std::string format_confidence(const SequenceSet& set, const Msa& msa, const Confidence& confidence);

}  // namespace accord
