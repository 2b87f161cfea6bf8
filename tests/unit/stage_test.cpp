// SPDX-License-Identifier: Apache-2.0
// A stage that the engine has never heard of.
#include "engine/stage.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/host/host_backend.hpp"
#include "engine/opencl/device_stage.hpp"
#include "engine/work_queue.hpp"
#include "support/fake_backends.hpp"

namespace accord::testing {
namespace {

/// Doubles numbers.
struct DoublingCall {
  static const Stage stage;
  static constexpr SharePolicy policy{1, 1, 1};

  std::span<int> numbers;

  static std::string self_test(Backend&, Backend&) { return {}; }
};

constinit const Stage DoublingCall::stage = {
    .name = "doubling",
    .position = 1,
    .compute_on_host =
        [](const host::Processor&, const StageCall& call) {
          for (int& number : call.get<DoublingCall>().numbers) number *= 2;
        },
    .on_device = [](const ocl::DeviceInfo&) -> ocl::StageOnDevice {
      return {.kernels = {}, .limits = std::nullopt, .open = {}};
    },
    .self_test = DoublingCall::self_test};

class DoublingRequest : public StageRequest {
 public:
  explicit DoublingRequest(std::span<int> numbers) : numbers_(numbers) {}

  const Stage& stage() const override { return DoublingCall::stage; }
  const SharePolicy& policy() const override { return DoublingCall::policy; }
  std::size_t items() override { return numbers_.size(); }
  double work(std::size_t) const override { return 1; }
  void run(Backend& backend, std::uint32_t parts, std::span<const ItemRange> items) override {
    for (const ItemRange& range : items) {
      backend.compute(DoublingCall{numbers_.subspan(range.first, range.last - range.first)}, parts);
    }
  }

 private:
  std::span<int> numbers_;
};

/// Says nothing of the stages that it computes.
class SilentDevice : public FakeDevice {
 public:
  SilentDevice() : FakeDevice("silent") {}
  std::optional<StageLimits> limits(const Stage&) const override {
    fail_with(ErrorKind::device_failed, "no answer");
  }
};

TEST_CASE("stage: the engine computes one that a library over it defines") {
  HostBackend host;
  FakeDevice fake("fake"), without("without");
  without.missing = {&DoublingCall::stage};
  WorkQueue queue({&fake, &without}, host, HostRole::standby);
  std::vector<int> numbers(100, 3);
  DoublingRequest request(numbers);
  queue.run(request);
  CHECK(numbers == std::vector<int>(100, 6));
  CHECK(fake.calls_made() > 0);
  CHECK(without.calls_made() == 0);
  CHECK(StageCall(DoublingCall{numbers}).get_if<PosteriorCall>() == nullptr);
}

TEST_CASE("stage: a device that cannot say whether it computes one is retired") {
  HostBackend host;
  SilentDevice silent;
  WorkQueue queue({&silent}, host, HostRole::standby);
  std::vector<int> numbers(10, 3);
  DoublingRequest request(numbers);
  queue.run(request);
  CHECK(numbers == std::vector<int>(10, 6));
  CHECK(queue.faults().retired == std::vector<std::string>{"silent"});
}

}  // namespace
}  // namespace accord::testing
