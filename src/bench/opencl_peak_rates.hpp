// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bench/peak_rates.hpp"
#include "engine/opencl/program.hpp"

namespace accord::ocl {

/// The kernels of kernels/shared/peak.cl: the copy, then the multiply-adds; last those of doubles.
std::vector<KernelChoice> peak_kernels(const DeviceInfo& device);

/// Measures a device and the way to its memory.
/// Cost    a second or two; twice 256 MiB of the device, or a quarter of its budget.
/// Throws  as those of OpenClBackend.
PeakRates measure_peak_rates(const DeviceInfo& device, const OpenClSettings& settings);

/// Runs the copy kernel on values, for tests, and returns the copies. Shape: a multiple of four.
std::vector<std::uint32_t> run_copy(const Session& session, std::span<const std::uint32_t> values);

/// Runs the arithmetic kernel of floats or doubles, for tests; returns the chains of `start` that
/// its work-items compute.
/// Shape   as many values an item as `start` has: the lanes of the kernel; a double.
template <class T>
std::vector<T> run_fma_chains(const Session& session, std::span<const T> start,
                              std::uint32_t rounds, std::size_t items);

}  // namespace accord::ocl
