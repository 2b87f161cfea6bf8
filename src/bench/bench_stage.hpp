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
  std::string name;         ///< as --stages has it
  std::string what;         ///< the timed work, in words: "the likelihood of a made-up tree"
  std::string unit, peaks;  ///< how its work is counted, and what of the peak rates it takes
  OptionTable options;      ///< its sizes
  /// The sizes that the options have set, by name.
  std::function<std::vector<std::pair<std::string, int>>()> sizes;
  /// Measures a backend that computes the stage.
  std::function<Measurement(Backend& backend, int repeats, int seed)> measure;
};

}  // namespace accord
