// SPDX-License-Identifier: Apache-2.0
#include "accord/core/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

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

void portable_exps(std::span<double> values) {
  // Added to a number, this rounds it to an integer, which is then in the lowest bits.
  constexpr double kRound = 0x1.8p52;
  for (double& value : values) {  // no branch and no call, so that vectors compute it
    const double rounded = value * 0x1.71547652b82fep0 + kRound;
    const double doublings = rounded - kRound;
    const double rest = (value - doublings * kLog2High) - doublings * kLog2Low;
    double sum = 1.0 / 6227020800;  // 1 / 13!; the next term is below 1e-17
    for (const double factor :
         {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
          1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0}) {
      sum = sum * rest + factor;
    }
    const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(rounded) + 1023) << 52;
    value = (1.0 + rest * sum) * std::bit_cast<double>(exponent);
  }
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
