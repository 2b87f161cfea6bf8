// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "models/parameters.hpp"

namespace accord {

/// A parameter set, as stored in a file (datasets/parameters/).
struct ParameterSet {
  std::string name;
  std::string source;  ///< where the numbers come from
  std::string text;    ///< the whole text of the file
  Parameters parameters;
};

/// Reads a parameter set from the text of a file, which must have every key and no other. `label`
/// is the file name for messages.
/// Throws  Error{bad_input} with the key, if the text is not JSON, if a key is missing, unknown or
///         repeated, if a value has the wrong type or is out of range, or if probabilities have too
///         large a sum.
ParameterSet parse_parameter_set(std::string text, const std::string& label);

/// The built-in set for a residue type.
const ParameterSet& built_in_parameters(ResidueType type);

/// The help text about parameter files: every key with its range and meaning.
std::string format_parameter_fields();

/// The texts of the embedded files.
std::string_view protein_parameter_text();
std::string_view nucleotide_parameter_text();

}  // namespace accord
