// SPDX-License-Identifier: Apache-2.0
#include "bench/host_peak_rates.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"

namespace accord::host {
namespace {

/// Bytes a second that all threads together read and write when each copies a part.
double copy_rate() {
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t part = kPeakCopyBytes / threads;
  const auto free_bytes = [](char* bytes) { std::free(bytes); };
  const std::unique_ptr<char, decltype(free_bytes)> memory(
      static_cast<char*>(std::malloc(2 * part * threads)), free_bytes);
  if (!memory) {
    throw Error(ErrorKind::out_of_memory, "no memory to measure the speed of memory with", "");
  }
  // Touched first by the thread that will copy it, so that each has memory of its own node.
  const auto each = [&](const auto& body) {
    parallel_for(threads, [&](std::size_t k, int) {
      char* const from = memory.get() + 2 * part * k;
      body(from, from + part);
    });
  };
  each([&](char* from, char* to) {
    std::memset(from, 1, part);
    std::memset(to, 0, part);
  });
  const double seconds = fastest(
      kPeakRepeats, [&] { each([&](char* from, char* to) { std::memcpy(to, from, part); }); });
  return 2.0 * static_cast<double>(part * threads) / seconds;
}

/// Fused multiply-adds a second of all threads together.
double arithmetic_rate(const Kernels& kernels) {
  const auto threads = static_cast<std::size_t>(thread_count());
  const double rounds = rounds_per_second([&](std::uint32_t count) {
    return fastest(kPeakRepeats, [&] {
      parallel_for(threads, [&](std::size_t, int) {
        FmaChains chains;
        chains.rounds = count;
        for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
          chains.start[lane] = static_cast<float>(lane);
        }
        kernels.run_fma_chains(chains);
      });
    });
  });
  return static_cast<double>(threads) * kernels.lanes * ACCORD_CHAIN_FMAS * rounds;
}

}  // namespace

PeakRates measure_peak_rates(const Kernels& kernels) {
  PeakRates peaks;
  peaks.copy_bytes = copy_rate();
  peaks.arithmetic = arithmetic_rate(kernels);
  peaks.of_doubles = peaks.arithmetic / 2;  // a vector holds half as many
  return peaks;
}

}  // namespace accord::host
