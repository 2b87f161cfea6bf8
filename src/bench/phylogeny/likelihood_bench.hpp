// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/bench.hpp"
#include "bench/bench_stage.hpp"

namespace accord {

/// Sizes of a made-up likelihood.
struct LikelihoodSizes {
  int states = 61, patterns = 10000, tips = 60;
  bool is_single = false;  ///< in single precision
};

/// The likelihood of a made-up tree without slopes, in 4 categories of rates, or 1 for 61 states.
/// Work: values of a state, category, pattern and inner node, which is what partial likelihoods
/// are. For each of them but the root's a multiply-add a state, 8 bytes written and 8 read. The
/// fastest of `repeats`.
Measurement measure_likelihood(const LikelihoodSizes& sizes, Backend& backend, int repeats,
                               int seed);

/// The likelihood as `accord_bench` measures it, with the options of its sizes.
BenchStage likelihood_bench();

}  // namespace accord
