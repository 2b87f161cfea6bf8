// SPDX-License-Identifier: Apache-2.0
// Every OpenCL call of an alignment fails, once or from then on: the alignment is that of the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "engine/scheduler.hpp"
#include "method/align_family.hpp"
#include "support/scratch.hpp"

namespace accord::testing {
namespace {

struct Outcome {
  Msa msa;
  DeviceFaults faults;
};

/// Five short sequences: all stages, some in several calls.
class Family {
 public:
  Msa on_host() const {
    HostBackend host;
    Scheduler scheduler(host);
    return align_family(set_, settings_, scheduler).msa;
  }
  Outcome on(Backend& device) const {
    HostBackend host;
    Scheduler scheduler({&device}, host, HostRole::standby);
    Outcome outcome{align_family(set_, settings_, scheduler).msa, {}};
    outcome.faults = scheduler.faults();
    return outcome;
  }

 private:
  SequenceSet set_ = SequenceSet({{"a", "MKVLITRRTGWQ"},
                                  {"b", "MKLITRTGWQ"},
                                  {"c", "MVLTRRTGQ"},
                                  {"d", "MKVITRRGWQAA"},
                                  {"e", "LITRRTWQ"}},
                                 ResidueType::protein);
  AlignSettings settings_{.parameters = default_parameters(ResidueType::protein),
                          .tree = TreeMethod::neighbor_joining,
                          .tree_file = {}};
};

/// The device, or nothing if it cannot be opened; that is for the user to know, not to retry.
std::unique_ptr<OpenClBackend> try_to_open(const ocl::DeviceInfo& device) {
  try {
    return std::make_unique<OpenClBackend>(device);
  } catch (const Error& error) {
    CHECK((error.kind() == ErrorKind::device_failed || error.kind() == ErrorKind::out_of_memory));
    return nullptr;
  }
}

std::uint64_t count_calls(const Family& family, const ocl::DeviceInfo& device) {
  const Faults counting("count");
  const auto backend = try_to_open(device);
  CHECK(family.on(*backend).faults.faults == 0);
  return ocl::counted_calls().at("all");
}

TEST_CASE("faults: an alignment survives the failure of any OpenCL call") {
  const Family family;
  const Msa expected = family.on_host();
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const std::uint64_t calls = count_calls(family, device);
    CAPTURE(calls);
    // Every call with one code in turn; with every code, which takes minutes, on request.
    const std::vector<std::string> codes = {"-5", "-4", "-61", "-11", "-36"};
    const std::size_t turns = std::getenv("ACCORD_TEST_ALL_FAULTS") ? codes.size() : 1;
    std::uint64_t noticed = 0;
    for (std::uint64_t number = 1; number <= calls; ++number) {
      for (std::size_t turn = 0; turn < turns; ++turn) {
        const std::string& code = codes[(number + turn) % codes.size()];
        CAPTURE(code);
        CAPTURE(number);
        const Faults faults(std::to_string(number) + ":" + code);
        const auto backend = try_to_open(device);
        if (!backend) continue;
        const Outcome outcome = family.on(*backend);
        CHECK(outcome.msa == expected);
        CHECK(outcome.faults.retired.empty());
        CHECK(outcome.faults.faults <= 1);
        noticed += outcome.faults.faults;
      }
    }
    CHECK(noticed > turns * calls / 4);  // the others open the device or release something
  }
}

TEST_CASE("faults: an alignment survives the loss of the device at any OpenCL call") {
  const Family family;
  const Msa expected = family.on_host();
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const std::uint64_t calls = count_calls(family, device);
    std::uint64_t retired = 0;
    for (std::uint64_t number = 1; number <= calls; ++number) {
      CAPTURE(number);
      const Faults faults(std::to_string(number) + "+:-5");
      const auto backend = try_to_open(device);
      if (!backend) continue;
      const Outcome outcome = family.on(*backend);
      CHECK(outcome.msa == expected);
      retired += outcome.faults.retired.size();
    }
    CHECK(retired > calls / 2);
  }
}

}  // namespace
}  // namespace accord::testing
