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

}  // namespace accord::testing
