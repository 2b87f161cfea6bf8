// SPDX-License-Identifier: Apache-2.0
// Records of PDB files for tests.
#pragma once
#include <string>

#include "base/text.hpp"

namespace accord::testing {

/// A record of an atom in a PDB file.
struct AtomLine {
  std::string name = "CA", residue = "ALA", chain = "A", altloc = " ", type = "ATOM";
  int number = 1;
  double x = 0, occupancy = 1;
  std::string shown_number = {}, segment = {};  ///< instead of `number`, and in columns 73 to 76
};

/// The record; a name of a residue with four letters takes column 21.
inline std::string line_of(const AtomLine& atom) {
  const std::string residue = atom.residue.size() > 3
                                  ? atom.residue + atom.chain
                                  : formatted("%3s%2s", atom.residue.c_str(), atom.chain.c_str());
  const std::string number =
      atom.shown_number.empty() ? std::to_string(atom.number) : atom.shown_number;
  std::string line = formatted("%-6s%5d  %-3s%1s%s%4s ", atom.type.c_str(), 1, atom.name.c_str(),
                               atom.altloc.c_str(), residue.c_str(), number.c_str());
  line.resize(27);  // a number of five digits takes the column of the insertion code
  line += formatted("   %8.3f%8.3f%8.3f%6.2f%6.2f", atom.x, 0.0, 0.0, atom.occupancy, 0.0);
  if (!atom.segment.empty()) line += formatted("      %-4s", atom.segment.c_str());
  return line + '\n';
}

/// The four atoms of the backbone of a residue, far from residues with other numbers.
inline std::string residue_of(AtomLine atom) {
  std::string lines;
  for (const char* name : {"N", "CA", "C", "O"}) {
    atom.name = name;
    atom.x = 20 * (atom.number % 400) + static_cast<double>(name[0] + 2 * (name[1] != '\0')) / 40;
    lines += line_of(atom);
  }
  return lines;
}

}  // namespace accord::testing
