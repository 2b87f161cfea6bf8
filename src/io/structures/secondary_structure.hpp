// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/structures/protein_chain.hpp"

namespace accord {

/// The secondary structure of the chains of a structure, in the letters of the table ss3: H helix,
/// E strand, C other, and ? for a residue whose backbone is not known.
///
/// An n-turn at residue i is a hydrogen bond from residue i + n to i. Two n-turns at i - 1 and i
/// make residues i to i + n - 1 a helix; n is 4, 3 or 5. A helix of 4-turns takes residues of
/// strands, a helix of 5-turns only those of helices of 4-turns, and a helix of 3-turns none.
///
/// Residues i and j are a bridge if hydrogen bonds join their neighbourhoods in one of two patterns
/// (parallel) or two others (antiparallel). Consecutive bridges are a ladder. Two ladders become
/// one if at most one residue of one strand and four of the other stand between them. All residues
/// from the first to the last bridge of a ladder are strand. Strands of different chains may pair.
/// Shape   a letter for each residue of each chain
/// Reference  Kabsch & Sander 1983, Biopolymers 22:2577
std::vector<std::string> secondary_structure(const std::vector<ProteinChain>& chains);

}  // namespace accord
