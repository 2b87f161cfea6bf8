// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace accord {

/// Coordinates in Å.
struct Point {
  double x = 0, y = 0, z = 0;
};

/// The atoms of the backbone of a residue.
struct BackboneAtoms {
  Point n, ca, c, o;
};

/// A residue of a protein chain.
struct ChainResidue {
  char letter = 'X';                      ///< one-letter code
  std::optional<BackboneAtoms> backbone;  ///< none if one of the four atoms has no coordinates
};

/// A chain of a structure, with the residues that have coordinates.
struct ProteinChain {
  std::string name;  ///< the author's name of the chain; may be empty
  std::vector<ChainResidue> residues;
};

}  // namespace accord
