// SPDX-License-Identifier: Apache-2.0
// Prints what both host engines of partial likelihoods take for a tree, in seconds of the processor
// for one thread: the likelihood stage for the total, and for the total with all slopes; local fits
// for the total, for a sweep that fits each branch, and for all interchanges, each fitted.
//   ninja -C build accord_local_fit_speed && build/tests/accord_local_fit_speed > speed.tsv
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "phylogeny/local_fit/local_fit.hpp"
#include "support/likelihood_cases.hpp"

namespace {

using namespace accord;
using namespace accord::testing;

double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The shortest of some runs, in seconds.
template <class Body>
double shortest(const Body& body) {
  double best = 1e300, all = 0;
  for (int run = 0; run < 3 || (all < 0.5 && run < 50); ++run) {
    const double begin = now();
    body();
    const double seconds = now() - begin;
    best = std::min(best, seconds);
    all += seconds;
  }
  return best;
}

void measure(const char* model, std::uint32_t tips, std::size_t patterns) {
  std::mt19937 random(1);
  const LikelihoodCase one(model, tips, patterns, random);
  HostBackend host;
  const auto of_stage = [&](bool slopes) {
    const LikelihoodTask task = one.task(slopes);
    return shortest([&] { likelihoods(host, {&task, 1}); });
  };
  const auto of_local_fit = [&](int sweeps, bool interchanges) {
    const LocalFitTask task{one.patterns,    one.process,    one.state.tree, one.state.lengths,
                            kShortestBranch, kLongestBranch, sweeps,         interchanges};
    return shortest([&] { fit_locally(task); });
  };
  const double total = of_local_fit(0, false);
  std::printf("%s\t%u\t%zu\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", model, tips, patterns, of_stage(false),
              of_stage(true), total, of_local_fit(1, false) - total, of_local_fit(0, true) - total);
}

}  // namespace

int main() {
  const LocalThreadCount alone(1);
  std::printf(
      "model\ttips\tpatterns\tstage_total\tstage_slopes\tlocal_total\tlocal_sweep\t"
      "local_interchanges\n");
  for (const std::uint32_t tips : {20u, 200u}) {
    measure("GTR{1,2,0.5,1.5,3}+G4{0.5}", tips, 2000);
    measure("LG+G4{0.5}", tips, 500);
    measure("GY94{2,0.3}", tips, 200);
  }
}
