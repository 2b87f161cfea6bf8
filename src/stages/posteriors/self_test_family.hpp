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

/// Pseudo-random numbers that are the same with every compiler.
/// Reference  Knuth's MMIX generator.
class SelfTestNumbers {
 public:
  explicit SelfTestNumbers(std::uint64_t seed = 0) : state_(20240229 + seed) {}

  /// The next number, in [0, bound).
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Changes a model so that it uses every feature, also those that the defaults do not use: a third
/// gap class, unequal shares of the pair-HMM and the partition function, a blend of their mean and
/// root mean square, another factor for every pair of contexts, and factors of opening a gap.
void use_everything(accord_model& model);

/// A made-up family of proteins for the self-tests, with the models to test. The lengths of the
/// default family are around the sizes of tiles (8), lanes (8, 16) and strips of a work-group
/// (256).
class SelfTestFamily {
 public:
  /// Makes the default family.
  SelfTestFamily();

  /// A family of two related sequences with a million cells: such a pair is long (kLongCells), and
  /// devices may use larger teams for it.
  static SelfTestFamily long_pair();

  /// A family of short related sequences, of about 100 residues at most, for which devices may use
  /// other teams, too.
  static SelfTestFamily short_pairs();

  const SequenceSet& set() const { return set_; }

  /// Four models: the defaults; and three after use_everything(): with the pair-HMM alone, with the
  /// partition function alone and a cutoff at which cells round to nothing, and with both.
  const std::vector<PosteriorModel>& models() const { return models_; }

  /// Computes the matrix of each pair (x, y), and its expected_accuracy(), on a backend; a pair is
  /// at place y (y - 1) / 2 + x. `most_task_bytes`: the limit for the memory of a task (see
  /// PosteriorCall).
  std::vector<std::pair<SparseMatrix, std::uint64_t>> matrices(
      Backend& backend, const PosteriorModel& model, std::size_t most_task_bytes = SIZE_MAX) const;

  /// Calls is_same(place) for the place of each pair, as in matrices(). Returns a description of
  /// the first pair for which it is false, such as "of sequences with 3 and 20 residues"; empty if
  /// there is none.
  std::string first_difference(const std::function<bool(std::size_t)>& is_same) const;

 private:
  explicit SelfTestFamily(SequenceSet set);

  SequenceSet set_;
  CodedSequences with_contexts_;
  std::vector<PosteriorModel> models_;
};

}  // namespace accord
