// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/chain_atoms.hpp"
#include "core/point.hpp"

namespace accord {

/// The atoms of the backbone of a residue.
struct BackboneAtoms {
  Point n, ca, c, o;
};

/// A residue of a protein chain.
struct ChainResidue {
  char letter = 'X';  ///< one-letter code
  /// None if one of the four atoms has no coordinates, or the residue is unsure.
  std::optional<BackboneAtoms> backbone;
  std::optional<Point> ca = {};  ///< none where the file has no CA, or the residue is unsure
};

/// A chain of a structure, with the residues that have coordinates.
struct ProteinChain {
  std::string name;  ///< no other chain of the structure has it; see parse_structure
  std::vector<ChainResidue> residues;
  /// Of a predicted model: residues whose pLDDT is below kLeastPlddt.
  std::optional<std::uint32_t> unsure = {};
  std::shared_ptr<const ChainAtoms> atoms = {};  ///< null unless the reader keeps atoms
};

}  // namespace accord
