// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace accord {

/// Coordinates in Å.
struct Point {
  double x = 0, y = 0, z = 0;
};

/// The distance of two points, in Å.
inline double distance(const Point& a, const Point& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

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
  std::string name;  ///< no other chain of the structure has it; see parse_structure
  std::vector<ChainResidue> residues;
};

}  // namespace accord
