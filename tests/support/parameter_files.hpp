// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/alphabet.hpp"
#include "models/parameter_set.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

namespace accord::testing {

/// A parameter set of datasets/parameters/ that is not built in.
inline Parameters parameters_of_file(const std::string& name) {
  const std::string path = source_dir() + "/datasets/parameters/" + name;
  return parse_parameter_set(file_bytes(path), path).parameters;
}

/// The published parameters: for proteins those of ProbCons and Probalign as MSAProbs combines
/// them, for nucleotides the built-in ones.
inline Parameters published_parameters(ResidueType type) {
  return type == ResidueType::protein ? parameters_of_file("msaprobs.json")
                                      : default_parameters(type);
}

/// The protein pair-HMM of ProbCons 1.12, which MSAProbs and QuickProbs share. Its end weights
/// are the start probabilities, so that a gap at the end costs 13 times as much as one at the
/// start.
inline PairHmm probcons_pair_hmm() {
  return {.start_match = 0.6814756989,
          .end_match = 0.6814756989,
          .gaps = {{0.0119511066, 0.3965826333, 8.615339902e-05, 8.615339902e-05},
                   {0.008008334786, 0.8988758326, 0.1591759622, 0.1591759622}}};
}

}  // namespace accord::testing
