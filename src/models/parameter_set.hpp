// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "models/parameters.hpp"

namespace accord {

/// A parameter set as it stands in a file (datasets/parameters/).
struct ParameterSet {
  std::string name;
  std::string source;  ///< where the numbers come from
  std::string text;    ///< the file
  Parameters parameters;
};

/// Reads a parameter set from the text of a file, which must have every key and no other.
/// `label`: the file, for messages.
/// Throws  Error{bad_input} with the key: no JSON, a key that is missing, unknown or twice there, a
///         value of another type or out of its range, probabilities of too large a sum.
ParameterSet parse_parameter_set(std::string text, const std::string& label);

/// The set of a residue type that is built in.
const ParameterSet& built_in_parameters(ResidueType type);

/// What stands in a parameter file: every key with its range and meaning.
std::string format_parameter_fields();

/// The embedded files.
std::string_view protein_parameter_text();
std::string_view nucleotide_parameter_text();

}  // namespace accord
