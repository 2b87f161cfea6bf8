// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "core/lddt.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// Of more structures than this, not all pairs are compared with each other: see structure_pairs().
inline constexpr std::size_t kMostLddtPairs = 200'000;

/// For each of `count` structures, others that it is compared with: all, or, if these are more than
/// `most` ordered pairs, as many as fit, at equal steps in the order of the structures.
/// Shape   [structure], each increasing from the structure on, and then from 0
std::vector<std::vector<std::size_t>> structure_pairs(std::size_t count, std::size_t most);

/// The lDDT of an alignment, on CA. For a residue i of structure x that is aligned with j of
/// structure y, it is the share of distances that are preserved: over all residues k of x within
/// 15 Å of i that are aligned with a residue l of y, and over the thresholds .5, 1, 2 and 4 Å,
/// whether |d(i, k) - d(j, l)| is below the threshold. A residue, a column and the alignment have
/// the mean over their pairs; each structure of a pair is x once. Residues without a known CA do
/// not count. The lDDT needs no superposition.
/// Returns  no value if fewer than two sequences have structures.
/// Cost    about 0.1 ms for a pair of structures of 200 residues; any number of threads gives the
///         same bits
/// Reference  Mariani et al. 2013, Bioinformatics 29:2722
std::optional<Lddt> alignment_lddt(const SequenceSet& set, const Msa& msa);

}  // namespace accord
