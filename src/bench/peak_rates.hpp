// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/host/kernels.hpp"
#include "engine/opencl/program.hpp"

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

namespace accord::host {

/// Measures the peak rates of the host with thread_count() threads. The threads copy memory, and
/// run the chains of multiply-adds of `kernels`.
/// Cost    half a second, 512 MiB.
/// Throws  Error{out_of_memory}.
PeakRates measure_peak_rates(const Kernels& kernels);

}  // namespace accord::host

namespace accord::ocl {

/// The kernels of the measurement: the copy, the multiply-adds of floats, and those of doubles.
std::vector<KernelChoice> peak_kernels(const DeviceInfo& device);

/// Measures the peak rates of a device, and of transfers between the host and its memory.
/// Cost    a second or two; device memory: 512 MiB, at most a quarter of the budget.
/// Throws  for a fault that OpenCL reports: Error{out_of_memory} if memory ran out, else
///         Error{device_failed}.
PeakRates measure_peak_rates(const DeviceInfo& device, const OpenClSettings& settings);

/// Runs the copy kernel on values, for tests, and returns the copies. The number of values must be
/// a multiple of four.
std::vector<std::uint32_t> run_copy(const Session& session, std::span<const std::uint32_t> values);

/// Runs the arithmetic kernel of floats or doubles, for tests. Returns the results that `items`
/// work-items compute from `start` in `rounds` rounds.
/// Shape   start.size() values for each item. `start` has one float for each lane of the kernel, or
///         one double.
template <class T>
std::vector<T> run_fma_chains(const Session& session, std::span<const T> start,
                              std::uint32_t rounds, std::size_t items);

}  // namespace accord::ocl
