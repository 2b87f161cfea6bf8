// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/confidence.hpp"
#include "core/lddt.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/files/text_sink.hpp"

namespace accord {

/// Writes the confidence of an alignment as tab-separated values under a header line. For each
/// column, there is a line for the column, then a line for each of its residues, in input order.
///
/// level       `column` or `residue`
/// column      number of the column, from 1
/// sequence    name of the sequence; `-` for a column
/// residue     number of the residue in its sequence, from 1; `-` for a column
/// letter      the residue; `-` for a column
/// pairs       pairs in the column, or with the residue
/// confidence  in [0, 1], 4 decimals; `NA` if no pair is known
///
/// If `lddt` is not null, a last field `lddt` has its value for the column or the residue, as
/// `confidence`. If `shown` is not null, only the columns c with (*shown)[c] are written and
/// numbered.
void write_confidence(const SequenceSet& set, const Msa& msa, const Confidence& confidence,
                      TextSink& out, const std::vector<bool>* shown = nullptr,
                      const Lddt* lddt = nullptr);

/// The weight of each column for a program that makes a tree: 100 c, rounded, at least 1, where c
/// is the confidence of the column. A column without a known confidence (NaN), such as that of a
/// single residue, has the weight 1. No weight is 0, since RAxML-NG refuses it.
/// Units   confidence in [0, 1]; weights in [1, 100].
std::vector<int> column_weights(const std::vector<float>& confidence);

/// The weights, one a line, as RAxML (-a) and RAxML-NG (--site-weights) read them.
std::string format_weights(const std::vector<int>& weights);

}  // namespace accord
