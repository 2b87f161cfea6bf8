// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "accord/core/posterior_set.hpp"

namespace accord {

/// First residue of each sequence when all residues of the family are counted through in
/// canonical order, and their number at the end.
std::vector<std::uint32_t> family_offsets(const PosteriorSet& set);

/// The number of posterior cells that each residue of x has against all other sequences.
std::vector<std::uint32_t> count_residue_terms(const PosteriorSet& set, std::uint32_t x);

/// Writes the term list of each residue i of x: its posterior cells against the residues of all
/// other sequences. Entry t of the list has the residue, counted through the family, in index[t],
/// increasing, and the probability in value[t].
/// Shape   the list of residue i is [begin[i], begin[i + 1]) of index and value.
void fill_residue_terms(const PosteriorSet& set, std::span<const std::uint32_t> offsets,
                        std::uint32_t x, std::span<const std::uint32_t> begin, std::uint32_t* index,
                        float* value);

/// The weights of the consistency transform, in the arithmetic that all backends share.
class RelaxWeights {
 public:
  /// `weights`: one a sequence; they must outlive this. `self_weight`: factor f of the direct
  /// evidence.
  RelaxWeights(std::span<const float> weights, float self_weight);

  /// f (w_x + w_y)
  float self(std::uint32_t x, std::uint32_t y) const {
    return self_weight_ * (weights_[x] + weights_[y]);
  }
  /// 1 / W: one over the weights of all terms of the pair.
  float inverse_total(std::uint32_t x, std::uint32_t y) const {
    return 1.0f / (self(x, y) + (total_ - weights_[x] - weights_[y]));
  }

 private:
  std::span<const float> weights_;
  float self_weight_;
  float total_ = 0.0f;
};

}  // namespace accord
