// SPDX-License-Identifier: Apache-2.0
// Reads JSON that others have written. Errors have the words of accord. No text makes the program
// use up its stack, or time in proportion to the square of its length.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace accord {

/// Parses a JSON text; `label` names the text in messages. `watch` is the callback of the library.
/// Throws  Error{bad_input}, with `hint`, for a text that is not JSON, has a number that no double
///         holds, is nested deeper than 100 levels (the library copies and writes by recursion), or
///         has an object of more than 10,000 entries (each is compared with those before it).
nlohmann::ordered_json parse_json(std::string_view text, const std::string& label,
                                  const std::string& hint,
                                  const nlohmann::ordered_json::parser_callback_t& watch = nullptr);

/// The problem that an exception of the library states, when a parsed value lacks an entry or has
/// one of another type, as the end of a message: "'command' is missing".
std::string json_problem(const nlohmann::ordered_json::exception& error);

}  // namespace accord
