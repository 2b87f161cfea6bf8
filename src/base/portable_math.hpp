// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace accord {

// Functions made of correctly rounded operations only, so that all platforms return the same bits
// (C libraries differ in the last place).

/// exp(x), relative error about 1e-16; |x| < 700.
double portable_exp(double x);

/// Replaces each value by exp(value), relative error below 5e-16; |value| < 700. Several times as
/// fast as portable_exp, which stays because its bits differ and results depend on them.
void portable_exps(std::span<double> values);

/// Natural logarithm of a positive normal number, error about 1e-16 (relative where |log x| > 1).
double portable_log(double x);
/// Replaces each value by portable_log(value), with the same bits, several values at a time.
void portable_logs(std::span<double> values);

/// x^y for a positive normal number x and |y log x| < 700; exactly x for y = 1 and 1 for y = 0.
double portable_pow(double x, double y);

}  // namespace accord
