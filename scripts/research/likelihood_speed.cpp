// SPDX-License-Identifier: Apache-2.0
// Prints how many partial likelihoods (values of a state, category, pattern and inner node)
// accord's host and libhmsbeagle compute in a second, in double and single precision, with one
// thread and with all. The library's implementation is SSE's where it has the precision (double
// alone), its threads are those of C++: Debian's package has neither OpenMP nor OpenCL. Both make
// the transition matrices anew each time; the library does not scale, accord does where it must.
// scripts/figures/likelihood.py draws it.
//   ninja -C build accord_likelihood_speed && build/tests/accord_likelihood_speed > speed.tsv
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "support/hmsbeagle.hpp"
#include "support/likelihood_cases.hpp"

namespace {

using namespace accord;
using namespace accord::testing;

/// Tasks for which the library would take more bytes are left out.
constexpr double kMostBytes = 3e9;

/// Seconds of the processor for one thread, which other programs do not disturb, else of the clock.
double now(int threads) {
  if (threads == 1) return double(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest of some runs, in seconds.
template <class Body>
double shortest(int threads, const Body& body) {
  double best = 1e300, all = 0;
  for (int run = 0; run < 3 || (all < 0.5 && run < 50); ++run) {
    const double begin = now(threads);
    body();
    const double taken = now(threads) - begin;
    best = std::min(best, taken);
    all += taken;
    if (all > 3) break;
  }
  return best;
}

void measure(const LikelihoodCase& one, Precision precision, int threads) {
  LikelihoodTask task = one.task();
  task.precision = precision;
  const std::size_t categories = task.process.rates.size(), patterns = task.patterns.count();
  const double values = double(task.tree.left.size()) * static_cast<double>(patterns) *
                        task.process.states * static_cast<double>(categories);
  if (2 * values * sizeof(double) > kMostBytes) return;
  set_thread_count(threads);
  HostBackend host;
  const double accord = shortest(threads, [&] { likelihoods(host, {&task, 1}); });
  BeagleTask beagle(task, BEAGLE_FLAG_VECTOR_SSE, false, threads);
  const double other = shortest(threads, [&] { beagle.site_likelihoods(); });
  std::printf("%u\t%zu\t%u\t%zu\t%s\t%d\t%.3g\t%.3g\t%s\n", task.process.states, categories,
              task.tree.leaves, patterns, precision == Precision::float32 ? "single" : "double",
              threads, values / accord, values / other, beagle.name().c_str());
  std::fflush(stdout);
}

}  // namespace

int main() {
  const int all = static_cast<int>(std::thread::hardware_concurrency());
  std::mt19937 random(1);
  std::printf("states\tcategories\ttips\tpatterns\tprecision\tthreads\taccord\tbeagle\tas\n");
  for (const char* model : {"HKY{2}+G4{0.5}", "LG+G4{0.5}", "GY94{2,0.3}"}) {
    for (const std::uint32_t tips : {100u, 1000u}) {
      for (const std::size_t patterns : {100u, 1000u, 10000u, 100000u}) {
        const LikelihoodCase one(model, tips, patterns, random, 0.1);
        for (const Precision precision : {Precision::float64, Precision::float32}) {
          for (const int threads : {1, all}) measure(one, precision, threads);
        }
      }
    }
  }
}
