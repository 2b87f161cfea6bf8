// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "core/sparse_matrix.hpp"
#include "models/models.hpp"

namespace accord {

class Backend;

/// Numbers that are the same with every compiler.
/// Reference  Knuth's MMIX generator.
class SelfTestNumbers {
 public:
  explicit SelfTestNumbers(std::uint64_t seed = 0) : state_(20240229 + seed) {}

  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Uses what a model may have and the defaults do not: a third gap class, unequal shares of the
/// pair-HMM and the partition function, a blend of their mean and root mean square, and another
/// factor for every pair of contexts.
void use_everything(accord_model& model);

/// The made-up family of the self-tests. Its lengths are around the sizes of tiles (8), lanes
/// (8, 16) and strips of a work-group (256).
class SelfTestFamily {
 public:
  SelfTestFamily();

  /// Two relatives of a million cells, which devices may compute in another way.
  static SelfTestFamily long_pair();

  /// Relatives of at most 120 residues, with the same property.
  static SelfTestFamily short_pairs();

  const SequenceSet& set() const { return set_; }

  /// The defaults; with everything in use, the pair-HMM alone, the partition function alone with
  /// cells that round to nothing, and both.
  const std::vector<PosteriorModel>& models() const { return models_; }

  /// The matrix of each pair (x, y), at place y (y - 1) / 2 + x, and its expected_accuracy().
  std::vector<std::pair<SparseMatrix, std::uint64_t>> matrices(
      Backend& backend, const PosteriorModel& model, std::size_t most_task_bytes = SIZE_MAX) const;

  /// The description of the first pair for which `is_same`, called with its place, is false; empty
  /// if there is none.
  std::string first_difference(const std::function<bool(std::size_t)>& is_same) const;

 private:
  explicit SelfTestFamily(SequenceSet set);

  SequenceSet set_;
  CodedSequences with_contexts_;
  std::vector<PosteriorModel> models_;
};

}  // namespace accord
