// SPDX-License-Identifier: Apache-2.0
// Prints how many partial likelihoods (values of a state, category, pattern and inner node)
// accord's host and libhmsbeagle compute in a second, one thread each, double precision. Both make
// the transition matrices anew each time; the library does not scale, accord does where it must.
//   ninja -C build accord_likelihood_speed && build/tests/accord_likelihood_speed
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "accord/base/parallel.hpp"
#include "accord/host/host_backend.hpp"
#include "support/hmsbeagle.hpp"
#include "support/likelihood_cases.hpp"

namespace {

using namespace accord;
using namespace accord::testing;

/// The shortest of some runs, in seconds.
template <class Body>
double shortest(const Body& body) {
  double best = 1e300, all = 0;
  for (int run = 0; run < 3 || (all < 1 && run < 50); ++run) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
    all += taken.count();
  }
  return best;
}

}  // namespace

int main() {
  set_thread_count(1);
  HostBackend host;
  std::mt19937 random(1);
  std::printf("states\tcategories\ttips\tpatterns\taccord\tbeagle_sse\tbeagle_plain\n");
  for (const char* model : {"HKY{2}+G4{0.5}", "LG+G4{0.5}", "GY94{2,0.3}"}) {
    for (const std::uint32_t tips : {60u, 500u}) {
      for (const std::size_t patterns : {100u, 1000u, 10000u}) {
        if (tips * patterns > 1000000) continue;
        const LikelihoodCase one(model, tips, patterns, random, 0.1);
        const LikelihoodTask task = one.task();
        const double values = double(tips - 1) * static_cast<double>(patterns) *
                              task.process.states * static_cast<double>(task.process.rates.size());
        const double own = shortest([&] { likelihoods(host, {&task, 1}); });
        double other[2];
        const long flags[2] = {BEAGLE_FLAG_VECTOR_SSE, BEAGLE_FLAG_VECTOR_NONE};
        for (int k = 0; k < 2; ++k) {
          BeagleTask beagle(task, flags[k] | BEAGLE_FLAG_THREADING_NONE, false);
          other[k] = shortest([&] { beagle.site_likelihoods(); });
        }
        std::printf("%u\t%zu\t%u\t%zu\t%.3g\t%.3g\t%.3g\n", task.process.states,
                    task.process.rates.size(), tips, patterns, values / own, values / other[0],
                    values / other[1]);
      }
    }
  }
}
