// SPDX-License-Identifier: Apache-2.0
#include "base/timer.hpp"

#include <algorithm>

namespace accord {

double fastest(int repeats, const std::function<void()>& body) {
  body();
  double best = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const Timer timer;
    body();
    best = std::min(best, timer.seconds());
  }
  return best;
}

}  // namespace accord
