// SPDX-License-Identifier: Apache-2.0
// Families that a scheduler aligns on made-up devices, and what must come out.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "golden/stages.hpp"
#include "method/align_family.hpp"
#include "support/align_cases.hpp"
#include "support/fake_backends.hpp"

namespace accord::testing {

inline const SequenceSet& family() {
  static const SequenceSet set = read_simulated("moderate_12");
  return set;
}

/// The family 4 times over, a little shorter each time: enough pairs for many batches.
inline const SequenceSet& large_family() {
  static const SequenceSet set = [] {
    std::vector<SequenceRecord> records;
    for (int copy = 0; copy < 4; ++copy) {
      for (std::size_t x = 0; x < family().size(); ++x) {
        records.push_back({family().header(x) + "_" + std::to_string(copy), family().letters(x)});
        records.back().letters.resize(records.back().letters.size() -
                                      3 * static_cast<std::size_t>(copy));
      }
    }
    return SequenceSet(records, family().type());
  }();
  return set;
}

inline const PosteriorModel& large_model() {
  static const PosteriorModel model =
      build_posterior_model(settings_of(large_family()).parameters, large_family().type());
  return model;
}

inline Msa aligned_by(Scheduler& scheduler, const SequenceSet& set) {
  return align_family(set, settings_of(set), scheduler).msa;
}

inline const Msa& expected(const SequenceSet& set) {
  static const auto on_host = [](const SequenceSet& of) {
    HostBackend host;
    Scheduler scheduler(host);
    return aligned_by(scheduler, of);
  };
  static const Msa small = on_host(family()), large = on_host(large_family());
  return &set == &family() ? small : large;
}

/// Aligns the family on the devices, checks the result, and returns what went wrong.
inline DeviceFaults run_on(const std::vector<Backend*>& devices, HostRole role,
                           const SequenceSet& set = family()) {
  HostBackend host;
  Scheduler scheduler(devices, host, role);
  CHECK(aligned_by(scheduler, set) == expected(set));
  return scheduler.faults();
}

inline constexpr ErrorKind kDeviceErrors[] = {
    ErrorKind::device_failed, ErrorKind::device_unavailable, ErrorKind::out_of_memory};

}  // namespace accord::testing
