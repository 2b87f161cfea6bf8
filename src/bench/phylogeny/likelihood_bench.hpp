// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/bench.hpp"

namespace accord {

/// Sizes of a made-up tree and alignment, and the precision of the likelihood. `states`: 4 (bases),
/// 20 (amino acids) or 61 (codons); `patterns`: different columns; `tips`: leaves, at least 3.
struct LikelihoodSizes {
  int states = 61, patterns = 10000, tips = 60;
  bool is_single = false;  ///< in single precision
};

/// Measures the likelihood of a made-up tree, without slopes. The fastest of `repeats` runs counts.
/// `seed`: of the random numbers that make the tree and the alignment.
/// There are 4 categories of rates, or 1 for 61 states.
/// The unit of work is a partial likelihood: the value of one state, category, pattern and inner
/// node. Each partial likelihood, except at the root, needs one multiply-add per state, and 8 bytes
/// written and 8 read (4 in single precision).
Measurement measure_likelihood(const LikelihoodSizes& sizes, Backend& backend, int repeats,
                               int seed);

/// The stage of `accord_bench` that calls measure_likelihood(), with options for the sizes.
BenchStage likelihood_bench();

}  // namespace accord
