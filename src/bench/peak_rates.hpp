// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>

namespace accord {

/// The peak rates of a device, measured with kernels that do nothing else: the scale of
/// `accord_bench`. Not part of the method, hence not of Backend.
struct PeakRates {
  double copy_bytes = 0;      ///< bytes per second that a copy of its memory reads and writes
  double arithmetic = 0;      ///< fused multiply-adds of floats per second, a lane of a vector each
  double of_doubles = 0;      ///< the same of doubles; 0 if the device has none
  double upload_bytes = 0;    ///< bytes per second from the host's memory; 0: it is the host's own
  double download_bytes = 0;  ///< and back
};

/// Bytes that a copy moves: more than any cache holds, so that memory is measured.
inline constexpr unsigned kPeakCopyBytes = 256u << 20;

/// Number of measurements; the fastest counts.
inline constexpr int kPeakRepeats = 5;

/// Rounds a second of work that takes `seconds(rounds)`. Rounds are doubled until they take a while
/// and twice of them take clearly longer: until then the start of the work is measured, which on a
/// busy machine, with many threads or on a device is long.
double rounds_per_second(const std::function<double(std::uint32_t rounds)>& seconds);

}  // namespace accord
