// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/scheduler.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

namespace accord {

/// The neighbour-joining tree of a family. The request has one item; requests of several families
/// share a batch.
class NeighborJoiningRequest : public StageRequest {
 public:
  /// Makes a request for the tree of `distances`, which must be in [0, 32] and must outlive the
  /// request.
  explicit NeighborJoiningRequest(const DistanceMatrix& distances) : distances_(distances) {}

  const Stage& stage() const override { return NeighborJoiningCall::stage; }
  const SharePolicy& policy() const override { return NeighborJoiningCall::policy; }
  std::size_t items() override { return 1; }
  double work(std::size_t) const override {
    return static_cast<double>(distances_.size()) * static_cast<double>(distances_.size());
  }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const NeighborJoiningRequest*>(&other) != nullptr;
  }
  /// Throws  Error{device_failed} if the backend leaves a tree out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  /// The tree. Call it once, when the item is computed.
  GuideTree result() { return std::move(tree_); }

 private:
  const DistanceMatrix& distances_;
  GuideTree tree_;
};

/// Builds the neighbour-joining tree of distances on the backends (see NeighborJoiningCall), and
/// returns it when it is done.
/// Throws  Error{internal} if a distance is not in [0, 32]; what the host throws.
GuideTree request_neighbor_joining(const DistanceMatrix& distances, Scheduler& scheduler);

}  // namespace accord
