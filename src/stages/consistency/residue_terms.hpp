// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"
#include "stages/consistency/consistency_host_kernels.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord::host {

/// Numbers the residues of all intermediates, one sequence after another. Returns the number of the
/// first residue of each intermediate, and at the end the number of all residues.
std::vector<std::uint32_t> term_offsets(const PosteriorSet& set,
                                        std::span<const std::uint32_t> intermediates);

/// The terms of each residue i of a sequence x: the posterior cells of i with the residues of all
/// intermediates that the weights allow for x (ConsistencyWeights::allows_intermediate). The
/// consistency transform on the host sums over these terms.
///
/// Shape   the terms of residue i are [begin[i], begin[i + 1]) of `terms`, by increasing numbers of
///         term_offsets(). The last element of `terms` is no term: the constructor writes the
///         fillers of the matrices there, so that it needs no branch.
struct ResidueTerms {
  std::vector<std::uint32_t> begin{0};
  std::vector<ConsistencyTerm> terms;
  std::vector<std::uint32_t> order;  ///< the residues, those with most terms first
  std::vector<std::uint32_t> rank;   ///< [residue]: its place in that order

  /// The terms of a sequence without residues.
  ResidueTerms() = default;
  /// The terms of the sequence with the index x in the set. `offsets`: term_offsets() for
  /// weights.intermediates(). The set must have every pair of x with an intermediate.
  ResidueTerms(const PosteriorSet& set, const ConsistencyWeights& weights,
               std::span<const std::uint32_t> offsets, std::uint32_t x);

  /// The number of residues of x.
  std::uint32_t residues() const { return static_cast<std::uint32_t>(rank.size()); }
  /// The number of terms of all residues.
  std::uint32_t count() const { return begin.back(); }
};

}  // namespace accord::host
