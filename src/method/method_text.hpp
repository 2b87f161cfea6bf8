// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of a method as one line of JSON, with the texts of parameters and matrix, so that
/// another process aligns alike. A guide tree from a file is not among them.
std::string format_method(const MethodOptions& method);

/// Reads that; `label` is where it stands, for messages.
/// Throws  Error{bad_input}, also as parse_parameter_set and parse_substitution_matrix.
MethodOptions parse_method(const std::string& text, const std::string& label);

/// A checksum of what visit_settings() has: runs with equal ones align equal sequences alike.
std::string settings_checksum(const FamilySource& source, const AlignSettings& settings,
                              ResidueType type);

}  // namespace accord
