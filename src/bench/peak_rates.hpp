// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace accord {

/// The peak rates of a device, measured with kernels that do nothing else. `accord_bench` compares
/// the speed of the stages with these rates. The method does not need them, so they are not part of
/// Backend.
struct PeakRates {
  double copy_bytes = 0;      ///< bytes per second that a copy of its memory reads and writes
  double arithmetic = 0;      ///< fused multiply-adds of floats per second; each lane counts
  double of_doubles = 0;      ///< fused multiply-adds of doubles per second; 0: no doubles
  double upload_bytes = 0;    ///< bytes per second from host to device; 0: they share the memory
  double download_bytes = 0;  ///< bytes per second from device to host; 0: they share the memory
};

/// Bytes that a copy moves: more than any cache holds, so that memory is measured.
inline constexpr unsigned kPeakCopyBytes = 256u << 20;

/// Number of measurements; the fastest counts.
inline constexpr int kPeakRepeats = 5;

/// Measures how many rounds of some work are done per second. `seconds` does the work in the given
/// number of rounds, and returns the seconds that it took. The number of rounds is doubled until
/// the work takes long enough, and clearly longer than with half of the rounds. Before that, the
/// time to start the work dominates: it is long on a busy machine, with many threads, or on a
/// device.
double rounds_per_second(const std::function<double(std::uint32_t rounds)>& seconds);

}  // namespace accord
