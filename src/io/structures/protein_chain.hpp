// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/point.hpp"

namespace accord {

/// The atoms of the backbone of a residue.
struct BackboneAtoms {
  Point n, ca, c, o;
};

/// A residue of a protein chain.
struct ChainResidue {
  char letter = 'X';                      ///< one-letter code
  std::optional<BackboneAtoms> backbone;  ///< none if one of the four atoms has no coordinates
  std::optional<Point> ca = {};           ///< none only where the file has no CA
};

/// A chain of a structure, with the residues that have coordinates.
struct ProteinChain {
  std::string name;  ///< no other chain of the structure has it; see parse_structure
  std::vector<ChainResidue> residues;
};

}  // namespace accord
