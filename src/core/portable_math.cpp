// SPDX-License-Identifier: Apache-2.0
#include "accord/core/portable_math.hpp"

#include <cmath>

namespace accord {
namespace {

constexpr double kLog2High = 0x1.62e42feep-1;  // short, so that n * kLog2High is exact
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;

}  // namespace

double portable_exp(double x) {
  const double doublings = std::floor(x * 0x1.71547652b82fep0 + 0.5);
  const double rest = (x - doublings * kLog2High) - doublings * kLog2Low;  // |rest| <= 0.35
  double tail = 0;  // sum of rest^n / n! for n >= 1; below 1e-18 from n = 17 on
  for (int n = 17; n >= 1; --n) tail = (rest + rest * tail) / n;
  return std::ldexp(1.0 + tail, static_cast<int>(doublings));
}

double portable_log(double x) {
  int doublings = 0;
  double fraction = std::frexp(x, &doublings);  // in [0.5, 1)
  if (fraction < 0x1.6a09e667f3bcdp-1) {        // below sqrt(1/2)
    fraction *= 2;
    --doublings;
  }
  // log f = 2 artanh((f - 1) / (f + 1)); |ratio| < 0.172, so terms are below 1e-18 from n = 23 on.
  const double ratio = (fraction - 1) / (fraction + 1);
  const double square = ratio * ratio;
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2) sum = square * (1.0 / n + sum);
  return doublings * kLog2High + (doublings * kLog2Low + 2 * (ratio + ratio * sum));
}

double portable_pow(double x, double y) {
  if (y == 1) return x;
  return portable_exp(y * portable_log(x));
}

}  // namespace accord
