// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bench/peak_rates.hpp"
#include "engine/opencl/program.hpp"

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
