// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>

namespace accord {

/// Returns the seconds since a fixed moment. Monotone and thread-safe.
using Clock = std::function<double()>;

/// The monotone clock of the machine, as a Clock.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace accord
