// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/structures/protein_chain.hpp"
#include "io/structures/residue_list.hpp"

namespace accord {

/// Finds the chains of proteins among the residues of a structure: see parse_structure. `label`
/// names the file in messages. `plddt_factor`: of a predicted model, see plddt_factor(); residues
/// whose pLDDT is below kLeastPlddt get no coordinates.
std::vector<ProteinChain> protein_chains(const std::vector<FoundChain>& found,
                                         std::optional<double> plddt_factor,
                                         const std::string& label);

}  // namespace accord
