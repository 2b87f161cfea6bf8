// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>

namespace accord {

/// Tells the seconds since some moment; never runs backwards. Several threads may ask at once.
using Clock = std::function<double()>;

/// The clock of the machine.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace accord
