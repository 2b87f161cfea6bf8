// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"
#include "stages/consistency/consistency_host_kernels.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord::host {

/// The number of the first residue of each intermediate sequence, the residues of all of them
/// counted in order; last their total.
std::vector<std::uint32_t> term_offsets(const PosteriorSet& set,
                                        std::span<const std::uint32_t> intermediates);

/// The terms of each residue i of one sequence x: its posterior cells against the residues of the
/// intermediates that its pairs may go through.
///
/// Shape   the terms of residue i are [begin[i], begin[i + 1]) of `terms`, residues of the
///         intermediates as term_offsets() counts them, increasing. Behind them all is one element
///         that is no term: what fillers of the matrices are written to.
struct ResidueTerms {
  std::vector<std::uint32_t> begin{0};
  std::vector<ConsistencyTerm> terms;
  std::vector<std::uint32_t> order;  ///< the residues, those with most terms first
  std::vector<std::uint32_t> rank;   ///< of each residue in that order

  /// Of a sequence without residues.
  ResidueTerms() = default;
  /// Of x; `offsets` are those of term_offsets() for weights.intermediates(). The set has every
  /// pair of x with an intermediate.
  ResidueTerms(const PosteriorSet& set, const ConsistencyWeights& weights,
               std::span<const std::uint32_t> offsets, std::uint32_t x);

  /// Residues of x.
  std::uint32_t residues() const { return static_cast<std::uint32_t>(rank.size()); }
  /// Terms of all of them.
  std::uint32_t count() const { return begin.back(); }
};

}  // namespace accord::host
