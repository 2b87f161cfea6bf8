// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "accord/core/models.hpp"
#include "accord/core/pair_batch.hpp"
#include "accord/core/posterior_set.hpp"
#include "accord/core/relax_batch.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

/// The one seam between the driver and the arithmetic. HostBackend (OpenMP) is the reference;
/// every other backend gives the same bits.
///
/// Rules   const inputs, owned results. A call either completes or throws an Error; it never
///         returns part of a batch.
/// Cost    called once a batch (tens of times a run), so dispatch is free.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The device in words, for messages and the report.
  virtual std::string name() const = 0;
  virtual BackendLimits limits() const = 0;

  /// Posterior cells of every pair of the batch, in the order of tasks and then of x, cells of a
  /// pair in any order. Kept are the cells whose probability is at least the model's cutoff.
  virtual std::vector<std::vector<PosteriorCell>> posteriors(const SequenceSet& set,
                                                             const PairBatch& batch,
                                                             const PosteriorModel& model) = 0;

  /// One round of the weighted consistency transform for each pair listed in `batch`; result k
  /// belongs to pair k. `weights` has one positive weight a sequence.
  virtual std::vector<SparseMatrix> relax(const PosteriorSet& current, const RelaxBatch& batch,
                                          std::span<const float> weights,
                                          const ConsistencyParams& params) = 0;
};

}  // namespace accord
