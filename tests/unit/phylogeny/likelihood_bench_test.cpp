// SPDX-License-Identifier: Apache-2.0
#include "bench/phylogeny/likelihood_bench.hpp"

#include <doctest/doctest.h>

#include "engine/host/host_backend.hpp"

using namespace accord;

TEST_CASE("bench: the work of a likelihood is counted as its definition says") {
  HostBackend host;
  const Measurement measured =
      measure_likelihood({.states = 20, .patterns = 33, .tips = 5}, host, 1, 1);
  CHECK(measured.work == 4 * 33 * 20 * 4);                // inner nodes, categories
  CHECK(measured.multiply_adds == 3 * 33 * 20 * 4 * 20);  // the root has no branch
  CHECK(measured.bytes == 2 * 3 * 33 * 20 * 4 * 8);       // written once, read once
  CHECK(measured.seconds > 0);
  CHECK(measured.is_double);
}
