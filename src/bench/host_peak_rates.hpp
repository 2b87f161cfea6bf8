// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/peak_rates.hpp"
#include "engine/host/kernels.hpp"

namespace accord::host {

/// Measures the peak rates of the host with thread_count() threads. The threads copy memory, and
/// run the chains of multiply-adds of `kernels`.
/// Cost    half a second, 512 MiB.
/// Throws  Error{out_of_memory}.
PeakRates measure_peak_rates(const Kernels& kernels);

}  // namespace accord::host
