// SPDX-License-Identifier: Apache-2.0
// Every OpenCL call of a backend's life fails once: what comes back is an Error or the right bytes.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "bench/peak_rates.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "support/scratch.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

/// A small family with everything that the stages of a backend get.
struct Family {
  SequenceSet set = SequenceSet({{"a", "MKVLITRRTGWQ"}, {"b", "MKLITRTGWQ"}, {"c", "MVLTRRTGQ"}},
                                ResidueType::protein);
  PosteriorModel model =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  CodedSequences coded = protein_contexts().add_to(set.coded());
  ConsistencyWeights weights{{0.5f, 0.25f, 0.25f}, 1.0f};
};

/// All pairs after posteriors and one round of consistency.
std::vector<SparseMatrix> compute(Backend& backend, const Family& family) {
  PosteriorSet posteriors(family.set.size());
  const PosteriorSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    posteriors.at(x, y) = std::move(pair.matrix);
  };
  const std::vector<PairBlock> blocks = plan_pair_blocks(family.set.lengths());
  backend.compute(PosteriorCall{family.coded, blocks, family.model, keep});
  return transformed_by(backend, posteriors, plan_consistency_pairs(posteriors), family.weights,
                        0.01f);
}

TEST_CASE("faults: every call of a backend's life fails once") {
  const Family family;
  HostBackend host;
  const std::vector<SparseMatrix> expected = compute(host, family);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const auto of_family = [&](Backend& backend) { return compute(backend, family); };
    CHECK(check_every_failing_call(device, expected, of_family) > 50);
  }
}

TEST_CASE("faults: rules for one function, from a number on, and for memory") {
  const Family family;
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    const auto kind_with = [&](const std::string& rules) {
      const Faults faults(rules);
      return error_of([&] { compute(backend, family); }).kind();
    };
    CHECK(kind_with("clCreateBuffer:1:-4") == ErrorKind::out_of_memory);
    CHECK(kind_with("clEnqueueNDRangeKernel:1+:-36") == ErrorKind::device_failed);
    CHECK(kind_with("clGetEventInfo:1:-5") == ErrorKind::device_failed);  // before the first wait
    CHECK(kind_with("clGetEventInfo:2:-5") == ErrorKind::device_failed);  // while it waits
    CHECK(kind_with("clEnqueueNDRangeKernel:1000000:-36,1+:-6") == ErrorKind::out_of_memory);
    const Faults faults("clEnqueueNDRangeKernel:1000000:-36");
    HostBackend host;
    CHECK(compute(backend, family) == compute(host, family));
    CHECK(ocl::counted_calls().at("clEnqueueNDRangeKernel") >= 2);
  }
  CHECK(error_of([] { ocl::inject_faults("clNothing:1:-5"); }).kind() == ErrorKind::usage);
}

TEST_CASE("faults: a build that fails, and whose log cannot be read either") {
  const Family family;
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    for (const std::string log : {"", ",clGetProgramBuildInfo:1+:-5"}) {
      const Faults faults("clCreateProgramWithBinary:1+:-44,clBuildProgram:1+:-11" + log);
      const Error error = error_of([&] {
        OpenClBackend backend(device);
        compute(backend, family);
      });
      CHECK(error.kind() == ErrorKind::device_failed);
      CHECK(std::string(error.what()).find("failed (CL_BUILD_PROGRAM_FAILURE") !=
            std::string::npos);
    }
  }
}

TEST_CASE("faults: a queue that does not finish while peak rates are measured") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const Faults faults("clFinish:1:-5");
    CHECK(error_of([&] { ocl::measure_peak_rates(device, {}); }).kind() ==
          ErrorKind::device_failed);
  }
}

}  // namespace
}  // namespace accord::testing
