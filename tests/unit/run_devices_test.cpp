// SPDX-License-Identifier: Apache-2.0
#include "run/devices/run_devices.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "accord/base/error.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/align_run.hpp"
#include "run/family/prepared_family.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const SequenceSet& family() {
  static const SequenceSet set({{"a", "MKVLAAGIVGLPTWERNDKK"}, {"b", "MKVLAGIVGPTWERNDK"}},
                               ResidueType::protein);
  return set;
}

/// Computes nothing, which is checked all the same.
bool compute_nothing(RunDevices& devices) {
  return devices.compute([](Scheduler& scheduler) {
    scheduler.run({});
    return true;
  });
}

}  // namespace

TEST_CASE("run devices: another run shares the devices, but has a check of its own") {
  RunDevices first({.device = "none"});
  CHECK_FALSE(first.expects_devices());
  RunDevices second = first.for_another_run();
  CHECK(second.names() == first.names());
  CHECK(second.use().devices.size() == 1);
  second.set_check([] { throw Error(ErrorKind::usage, "given up"); });
  CHECK(error_of([&] { compute_nothing(second); }).kind() == ErrorKind::usage);
  CHECK(compute_nothing(first));
  const PreparedFamily prepared = prepare_family({.set = family()}, MethodOptions{}, false);
  CHECK(run::align(prepared, {first, {}}).msa.columns >= 20);
}

TEST_CASE("run devices: little work that auto gets is the host's") {
  const RunDevices devices({.device = "auto", .host_seconds = 0.1});
  CHECK_FALSE(devices.expects_devices());
  CHECK(devices.use().devices.at(0).id == "none");
}

TEST_CASE("run: an alignment that does not fit the budget is refused") {
  RunDevices devices({.device = "none"});
  const PreparedFamily prepared = prepare_family({.set = family()}, MethodOptions{}, false);
  const RunContext context{devices, std::size_t{1}};
  CHECK(error_of([&] { run::align(prepared, context); }).kind() == ErrorKind::out_of_memory);
}
