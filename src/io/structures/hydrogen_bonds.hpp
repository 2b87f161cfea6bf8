// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "io/structures/protein_chain.hpp"

namespace accord {

/// A residue whose backbone is known.
struct Site {
  BackboneAtoms atoms;
  std::optional<Point> hydrogen;  ///< of the N; none for proline and at the start of a run
  std::size_t run = 0;  ///< number of its run, from 1: a stretch of a chain without a break
};

/// The residues with a known backbone, chain by chain; all others are left out. A chain breaks
/// where the C of a residue and the N of the next one are more than 2.5 Å apart. The hydrogen is
/// 1 Å from its N, in the direction from the O to the C of the residue before.
std::vector<Site> backbone_sites(const std::vector<ProteinChain>& chains);

/// The hydrogen bonds between the backbones of residues.
///
/// The energy of a bond from the N-H of a donor to the C=O of an acceptor is
///
///   E = 332 * .42 * .20 (1 / r(ON) + 1 / r(CH) - 1 / r(OH) - 1 / r(CN))  kcal/mol
///
/// with the distances r in Å. A bond has E < -.5, CAs between 1 and 9 Å apart, and is one of the
/// two with the lowest E of its donor. A residue does not bond to the residue before it.
/// Cost    O(n log n) for n residues in a structure of usual density
/// Reference  Kabsch & Sander 1983, Biopolymers 22:2577
class HydrogenBonds {
 public:
  /// Finds all bonds between `sites`, which need not outlive this object. In the functions below, a
  /// residue is its index in `sites`, from 0.
  explicit HydrogenBonds(const std::vector<Site>& sites);

  /// Whether the N-H of residue `donor` bonds to the C=O of residue `acceptor`.
  bool has(std::size_t donor, std::size_t acceptor) const;
  /// The pairs i < j of residues whose CAs are between 1 and 9 Å apart, sorted.
  const std::vector<std::pair<std::size_t, std::size_t>>& near_pairs() const { return near_; }

 private:
  struct Bond {
    std::size_t acceptor = 0;
    double energy = 0;
  };

  /// Keeps a bond if it is one of the two best of its donor.
  void add(std::size_t donor, Bond bond);

  std::vector<std::pair<std::size_t, std::size_t>> near_;
  std::vector<std::vector<Bond>> bonds_;  // by donor, the best first
};

}  // namespace accord
