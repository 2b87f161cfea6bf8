// SPDX-License-Identifier: Apache-2.0
// A request whose results are seen without a stage of the method.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "engine/stage_request.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

namespace accord::testing {

/// Its items add up numbers.
class SumRequest : public StageRequest {
 public:
  explicit SumRequest(std::vector<long> numbers) : numbers_(std::move(numbers)) {}

  const Stage& stage() const override { return NeighborJoiningCall::stage; }
  const SharePolicy& policy() const override { return NeighborJoiningCall::policy; }
  std::size_t items() override { return numbers_.size(); }
  double work(std::size_t) const override { return 1; }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const SumRequest*>(&other) != nullptr;
  }
  void run(Backend& backend, std::uint32_t, std::span<const ItemRange> items) override {
    std::vector<GuideTree> none;
    backend.compute(NeighborJoiningCall{{}, none});  // may fail
    for (const ItemRange& range : items) {
      auto* request = static_cast<SumRequest*>(range.request);
      for (std::size_t k = range.first; k < range.last; ++k) {
        if (request->numbers_[k] < 0) {  // no fault of those that share the batch
          request->fail(std::make_exception_ptr(Error(ErrorKind::bad_input, "negative")));
        }
        request->sum_ += request->numbers_[k];
      }
    }
  }
  long sum() const { return sum_; }

 private:
  std::vector<long> numbers_;
  std::atomic<long> sum_{0};
};

}  // namespace accord::testing
