// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/stage_request.hpp"
#include "stages/local_fit/call.hpp"

namespace accord {

/// Local fits of a request; the items are tasks.
class LocalFitRequest : public StageRequest {
 public:
  /// What the tasks refer to must outlive this.
  explicit LocalFitRequest(std::span<const LocalFitTask> tasks)
      : tasks_(tasks), results_(tasks.size()) {}

  BackendStage stage() const override { return LocalFitCall::stage; }
  const SharePolicy& policy() const override { return LocalFitCall::policy; }
  std::size_t items() override { return tasks_.size(); }
  double work(std::size_t item) const override;
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  std::vector<LocalFit> result() { return std::move(results_); }

 private:
  std::span<const LocalFitTask> tasks_;
  std::vector<LocalFit> results_;
};

}  // namespace accord
