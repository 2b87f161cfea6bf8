// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/families/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// Formats the options of a method as one line of JSON, with the texts of parameters and matrix, so
/// that another process aligns the same way. The text of a guide tree file is not included, so that
/// parse_method() refuses the options of a method with such a file.
std::string format_method(const MethodOptions& method);

/// Parses the text of format_method(); `label` names its place for messages.
/// Throws  Error{bad_input} for a text that is damaged, an option with a wrong value, parameters or
///         a matrix that cannot be parsed, or a guide tree from a file.
MethodOptions parse_method(const std::string& text, const std::string& label);

/// A checksum of the values of visit_settings(): SHA-256, as 64 hexadecimal digits. Runs with equal
/// checksums align equal sequences alike.
std::string settings_checksum(const FamilySource& source, const AlignSettings& settings,
                              ResidueType type);

}  // namespace accord
