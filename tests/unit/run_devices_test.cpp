// SPDX-License-Identifier: Apache-2.0
#include "run/devices/run_devices.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "accord/base/error.hpp"
#include "core/sequence_set.hpp"
#include "method/settings.hpp"
#include "run/align_run.hpp"
#include "run/devices/run_context.hpp"

using namespace accord;

namespace {

const SequenceSet& family() {
  static const SequenceSet set({{"a", "MKVLAAGIVGLPTWERNDKK"}, {"b", "MKVLAGIVGPTWERNDK"}},
                               ResidueType::protein);
  return set;
}

ErrorKind kind_of_failure(RunContext context) {
  try {
    run::align(family(), make_settings({}, ResidueType::protein), context);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

}  // namespace

TEST_CASE("run devices: another run shares the devices, but has a check of its own") {
  RunDevices first({.device = "none"});
  CHECK_FALSE(first.expects_devices());
  RunDevices second = first.for_another_run();
  CHECK(second.names() == first.names());
  CHECK(second.use().devices.size() == 1);
  second.set_check([] { throw Error(ErrorKind::usage, "given up"); });
  CHECK(kind_of_failure({second, {}}) == ErrorKind::usage);
  const AlignSettings settings = make_settings({}, ResidueType::protein);
  CHECK(run::align(family(), settings, {first, {}}).msa.columns >= 20);
}

TEST_CASE("run devices: little work that auto gets is the host's") {
  const RunDevices devices({.device = "auto", .work = 1});
  CHECK_FALSE(devices.expects_devices());
  CHECK(devices.use().devices.at(0).id == "none");
}

TEST_CASE("run: an alignment that does not fit the budget is refused before it is computed") {
  RunDevices devices({.device = "none"});
  devices.set_check([] { throw Error(ErrorKind::usage, "begun"); });
  CHECK(kind_of_failure({devices, std::size_t{1}}) == ErrorKind::out_of_memory);
}
