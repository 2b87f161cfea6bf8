// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace accord {

/// How well distances within structures agree between the rows of an alignment. NaN: nothing to
/// compare.
struct Lddt {
  std::vector<float> column;                ///< [column], in [0, 1]
  std::vector<std::vector<float>> residue;  ///< [sequence][residue]; empty without a structure
  double mean = 0;                          ///< of all compared pairs of residues
  std::size_t pairs = 0;  ///< compared pairs of residues; each of the two is the reference once
};

}  // namespace accord
