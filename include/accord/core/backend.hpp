// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "accord/core/distance_matrix.hpp"
#include "accord/core/guide_tree.hpp"
#include "accord/core/models.hpp"
#include "accord/core/pair_batch.hpp"
#include "accord/core/posterior_set.hpp"
#include "accord/core/relax_batch.hpp"
#include "accord/core/relax_weights.hpp"
#include "accord/core/sequence_set.hpp"
#include "accord/core/sparse_matrix.hpp"

namespace accord {

/// Takes the posterior cells of the pair (x, y), x < y, in any order. Called from several threads
/// at the same time, each pair by one of them.
///
/// A backend calls it once for each pair of a batch. After an Error some pairs of the batch may
/// have been handed over, and all are computed again: a later call for a pair replaces the earlier
/// one, never at the same time. So a sink assigns; it must not add up or count.
using PosteriorSink =
    std::function<void(std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> cells)>;

/// Takes the new matrix of pair number `pair` of a batch; the rules are those of PosteriorSink.
using RelaxSink = std::function<void(std::size_t pair, SparseMatrix matrix)>;

/// The stages that backends compute.
enum class BackendStage { relax, join, posteriors };
constexpr std::size_t kBackendStages = 3;

/// The one seam between the driver and the arithmetic. HostBackend (OpenMP) is the reference;
/// every other backend gives the same bits.
///
/// Rules   const inputs, owned results. A call either completes or throws an Error; after an
///         Error the batch may be given to another backend as if nothing had happened.
/// Threads limits().calls of them may call posteriors(), relax() and join() at the same time.
/// Cost    called once a batch (tens of times a run), so dispatch is free.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The device in words, for messages and the report.
  virtual std::string name() const = 0;
  virtual BackendLimits limits() const = 0;

  /// Says that a stage will be asked for later, so that the backend can get ready meanwhile.
  virtual void announce(BackendStage) {}

  /// Computes the posteriors of every pair of the batch and hands them to `sink`: the cells whose
  /// probability is at least the model's cutoff, unrounded. The batch was planned for limits(); its
  /// pairs may be of one family or of several, one behind the other in `sequences`.
  virtual void posteriors(const CodedSequences& sequences, const PairBatch& batch,
                          const accord_model& model, const PosteriorSink& sink) = 0;

  /// One round of the weighted consistency transform for each pair listed in `batch`. Hands the
  /// matrices, whose cells below `cutoff` are left out, to `sink`.
  virtual void relax(const PosteriorSet& current, const RelaxBatch& batch,
                     const RelaxWeights& weights, float cutoff, const RelaxSink& sink) = 0;

  /// One neighbour-joining tree for each matrix (see joined_tree() and neighbor_joining()); small
  /// matrices are computed side by side.
  /// Errors  Error{internal} if a distance is not in [0, 32].
  virtual std::vector<GuideTree> join(std::span<const DistanceMatrix> matrices) = 0;
};

}  // namespace accord
