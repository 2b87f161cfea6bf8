// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

namespace accord {
namespace {

double relative_error(double value, long double exact) {
  return static_cast<double>(std::abs((value - exact) / exact));
}

TEST_CASE("portable math: exponentials and logarithms are right to about the last place") {
  for (double x = -600; x < 600; x += 0.37) {
    CHECK(relative_error(portable_exp(x), std::exp(static_cast<long double>(x))) < 5e-16);
  }
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    CHECK(relative_error(portable_log(x), std::log(static_cast<long double>(x))) < 5e-16);
  }
  for (double x = 0.5; x < 2; x += 0.001) {
    const long double exact = std::log(static_cast<long double>(x));
    CHECK(std::abs(static_cast<double>(portable_log(x) - exact)) < 2e-16);
  }
  CHECK(portable_exp(0) == 1);
  CHECK(portable_log(1) == 0);
}

TEST_CASE("portable math: exponentials of many") {
  std::vector<double> exponents;
  for (double x = -699; x < 699; x += 0.0371) exponents.push_back(x);
  exponents.insert(exponents.end(), {0.0, -1e-300, 0.34657359, -0.34657359});
  std::vector<double> found = exponents;
  portable_exps(found);
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(relative_error(found[k], std::exp(static_cast<long double>(exponents[k]))) < 5e-16);
  }
  CHECK(found[found.size() - 4] == 1);
  std::vector<double> one = {exponents[1000]};
  portable_exps(one);
  CHECK(one[0] == found[1000]);  // alone or in a vector
}

TEST_CASE("portable math: logarithms of many have the bits of each alone") {
  std::vector<double> values;
  for (double x = 1e-300; x < 1e300; x *= 1.07) values.push_back(x);
  for (double x = 0.5; x < 2; x += 0.01) values.push_back(x);
  values.insert(values.end(), {1, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp-1, 0x1p-1022});
  for (const double last : {1.0, 0x1p-1070}) {
    values.push_back(last);
    std::vector<double> found = values;
    portable_logs(found);
    for (std::size_t k = 0; k < values.size(); ++k) CHECK(found[k] == portable_log(values[k]));
  }
}

TEST_CASE("portable math: powers, and those that are exact") {
  for (double x : {1e-9, 0.01, 0.3, 0.9999, 1.0, 3.0, 7e5}) {
    CHECK(portable_pow(x, 1) == x);
    CHECK(portable_pow(x, 0) == 1);
    for (double y : {-1.5, 0.3, 0.7, 1.5, 2.0}) {
      CHECK(relative_error(portable_pow(x, y), std::pow(static_cast<long double>(x),
                                                        static_cast<long double>(y))) < 1e-14);
    }
  }
}

TEST_CASE("portable math: bits that every platform has") {
  CHECK(portable_exp(-4.4) == 0x1.924dcaaeca7f8p-7);
  CHECK(portable_log(38.9) == 0x1.d49b75a8a34e5p+1);
  CHECK(portable_pow(0.01, 0.69186) == 0x1.52963479bb42ep-5);
}

}  // namespace
}  // namespace accord
