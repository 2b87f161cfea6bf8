// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/core/ceiling.hpp"
#include "accord/host/kernels.hpp"

namespace accord::host {

/// Measures thread_count() threads: they copy memory and run the chains of `kernels`.
/// Cost    half a second, 512 MiB.
/// Errors  Error{out_of_memory}.
Ceiling measure_ceiling(const Kernels& kernels);

}  // namespace accord::host
