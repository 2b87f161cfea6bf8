// SPDX-License-Identifier: Apache-2.0
// Included by sources that are C++17.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/point.hpp"

namespace accord {

/// An atom of a residue of a chain.
struct ChainAtom {
  std::string name, element;  ///< as in the file; the element may be empty
  Point at;
  double occupancy = 1;
  double b_factor = 0;        ///< or the pLDDT
  std::uint32_t residue = 0;  ///< in its chain, from 0
};

/// The atoms of a chain, residue by residue.
struct ChainAtoms {
  std::vector<std::string> names;    ///< [residue]: as in the file, such as MSE
  std::vector<std::string> numbers;  ///< [residue]: as in the file, with the insertion code
  std::vector<ChainAtom> atoms;
};

}  // namespace accord
