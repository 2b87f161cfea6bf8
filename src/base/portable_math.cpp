// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace accord {
namespace {

constexpr double kLog2High = 0x1.62e42feep-1;  // short, so that n * kLog2High is exact
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;

/// The logarithm of half * 2^doublings for half in [1/2, 1), without a branch.
inline double log_of(double half, double doublings) {
  const bool is_small = half < 0x1.6a09e667f3bcdp-1;  // sqrt(1/2)
  const double fraction = half * (is_small ? 2 : 1), twos = doublings - (is_small ? 1 : 0);
  // log f = 2 artanh((f - 1) / (f + 1)); |ratio| < 0.172, so terms from n = 23 on are below 1e-18.
  const double ratio = (fraction - 1) / (fraction + 1), square = ratio * ratio;
  double sum = 0;
  for (const double factor : {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                              1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3}) {
    sum = square * (factor + sum);
  }
  return twos * kLog2High + (twos * kLog2Low + 2 * (ratio + ratio * sum));
}

}  // namespace

double portable_exp(double x) {
  const double doublings = std::floor(x * 0x1.71547652b82fep0 + 0.5);
  const double rest = (x - doublings * kLog2High) - doublings * kLog2Low;  // |rest| <= 0.35
  double tail = 0;  // sum of rest^n / n! for n >= 1; terms from n = 17 on are below 1e-18
  for (int n = 17; n >= 1; --n) tail = (rest + rest * tail) / n;
  return std::ldexp(1.0 + tail, static_cast<int>(doublings));
}

void portable_exps(std::span<double> values) {
  // Adding this to a number rounds it to an integer, which the lowest bits of the sum hold.
  constexpr double kRound = 0x1.8p52;
  for (double& value : values) {  // no branch and no call, so that the compiler vectorizes the loop
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
  const double half = std::frexp(x, &doublings);
  return log_of(half, doublings);
}

void portable_logs(std::span<double> values) {
  // Adding a whole number to the bits of this double adds the same number to its value.
  constexpr double kWhole = 0x1.8p52;
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  bool are_normal = true;
  for (const double value : values) are_normal &= value >= 0x1p-1022 && value <= 0x1.fp1023;
  if (!are_normal) {
    for (double& value : values) value = portable_log(value);
    return;
  }
  for (double& value : values) {  // frexp() by bits, so that the compiler vectorizes the loop
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const double exponent =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(kWhole) + (bits >> 52)) - kWhole;
    value = log_of(std::bit_cast<double>((bits & kFraction) | std::uint64_t{1022} << 52),
                   exponent - 1022);
  }
}

double portable_pow(double x, double y) {
  if (y == 1) return x;
  return portable_exp(y * portable_log(x));
}

}  // namespace accord
