// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/stage_request.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

/// A request for the likelihoods of some tasks; each item is one task.
class LikelihoodRequest : public StageRequest {
 public:
  /// The tasks, and their trees, patterns and processes, must outlive the request.
  explicit LikelihoodRequest(std::span<const LikelihoodTask> tasks)
      : tasks_(tasks), results_(tasks.size()) {}

  const Stage& stage() const override { return LikelihoodCall::stage; }
  const SharePolicy& policy() const override { return LikelihoodCall::policy; }
  std::size_t items() override { return tasks_.size(); }
  double work(std::size_t item) const override { return work_of(tasks_[item]); }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const LikelihoodRequest*>(&other) != nullptr;
  }
  /// Throws  Error{device_failed} if the backend leaves a task out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  /// The likelihoods, in the order of the tasks. Call it once, when all items are computed.
  std::vector<Likelihood> result() { return std::move(results_); }

 private:
  std::span<const LikelihoodTask> tasks_;
  std::vector<Likelihood> results_;
};

}  // namespace accord
