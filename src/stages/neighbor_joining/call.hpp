// SPDX-License-Identifier: Apache-2.0
// The stage of neighbour joining: what backends get, what the scheduler has to know, the self-test.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// One neighbour-joining tree for each matrix (see joined_tree() and neighbor_joining()); small
/// matrices are computed side by side.
/// Errors  Error{internal} if a distance is not in [0, 32].
struct JoinCall {
  static constexpr BackendStage stage = BackendStage::join;
  /// Units   squares of the numbers of leaves.
  static constexpr SharePolicy policy{1e6, 0.05, 0.5};

  std::span<const DistanceMatrix* const> matrices;
  std::span<GuideTree> trees;  ///< out: one per matrix

  /// Compares trees of matrices with many ties with those of the reference.
  /// Result  nothing if all bytes agree, else which one differs.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// The trees of matrices, computed by one backend.
std::vector<GuideTree> join(Backend& backend, std::span<const DistanceMatrix> matrices);

/// The tree of a family, one item; trees of several families share a batch.
class JoinRequest : public StageRequest {
 public:
  /// `distances` must outlive this.
  explicit JoinRequest(const DistanceMatrix& distances) : distances_(distances) {}

  BackendStage stage() const override { return JoinCall::stage; }
  const SharePolicy& policy() const override { return JoinCall::policy; }
  std::size_t items() override { return 1; }
  double work(std::size_t) const override {
    return static_cast<double>(distances_.size()) * static_cast<double>(distances_.size());
  }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const JoinRequest*>(&other) != nullptr;
  }
  /// Errors  Error{device_failed} if the backend leaves a tree out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  GuideTree result() { return std::move(tree_); }

 private:
  const DistanceMatrix& distances_;
  GuideTree tree_;
};

}  // namespace accord
