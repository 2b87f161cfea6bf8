// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "bench/bench.hpp"
#include "engine/backend.hpp"

namespace accord {

/// A stage that `accord_bench` measures beside those of the aligner.
struct BenchStage {
  const Stage* stage;
  std::string name;         ///< the name of the stage for --stages
  std::string what;         ///< the timed work, in words: "the likelihood of a made-up tree"
  std::string unit, peaks;  ///< in words: the unit of work, and the operations and bytes of a unit
  OptionTable options;      ///< the options for the sizes of the work
  /// The sizes that the options have set, by name.
  std::function<std::vector<std::pair<std::string, int>>()> sizes;
  /// Measures a backend that computes the stage: runs the work `repeats` times, on random data of
  /// the seed.
  std::function<Measurement(Backend& backend, int repeats, int seed)> measure;
};

}  // namespace accord
