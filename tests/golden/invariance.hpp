// SPDX-License-Identifier: Apache-2.0
// The same bytes whatever the threads, the order of the records and the device.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "core/sequence_set.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "support/align_cases.hpp"

namespace accord::testing {

/// Checks that align(set, backend) gives `expected` on the host, with one thread and with
/// `threads`, for the records as they are and shuffled.
template <class Align>
void check_threads_and_order(std::vector<SequenceRecord> records, const std::string& expected,
                             int threads, const Align& align) {
  HostBackend host;
  Random random(5);
  for (const int count : {1, threads}) {
    CAPTURE(count);
    const ThreadCount limited(count);
    CHECK(align(SequenceSet(records, ResidueType::protein), host) == expected);
    std::shuffle(records.begin(), records.end(), random);
  }
}

/// Checks that align(set, backend) gives `expected` on every OpenCL device.
template <class Align>
void check_devices(const SequenceSet& set, const std::string& expected, const Align& align) {
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    CAPTURE(ocl::format_device(device));
    OpenClBackend backend(device);
    CHECK(align(set, backend) == expected);
  }
}

}  // namespace accord::testing
