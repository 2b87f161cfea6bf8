// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// Formats the options of a method as one line of JSON, with the texts of parameters and matrix, so
/// that another process aligns the same way. The text of a guide tree file is not included.
std::string format_method(const MethodOptions& method);

/// Parses the text of format_method(); `label` names its place for messages.
/// Throws  Error{bad_input}; also as parse_parameter_set and parse_substitution_matrix.
MethodOptions parse_method(const std::string& text, const std::string& label);

/// A checksum of the values of visit_settings(). Runs with equal checksums align equal sequences
/// alike.
std::string settings_checksum(const FamilySource& source, const AlignSettings& settings,
                              ResidueType type);

}  // namespace accord
