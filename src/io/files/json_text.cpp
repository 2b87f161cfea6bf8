// SPDX-License-Identifier: Apache-2.0
#include "io/files/json_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "io/files/text_input.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

/// A fault of a text and its place.
struct Fault {
  std::size_t place;
  const char* what;
};

/// The first place at which a text is nested too deep or has an object with too many entries.
std::optional<Fault> fault_of_shape(std::string_view text) {
  constexpr std::size_t kDeepest = 100, kMostEntries = 10'000;
  std::vector<std::size_t> open;  // for each open list or object, its number of ':'
  bool is_in_text = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"') {
      is_in_text = !is_in_text;
    } else if (is_in_text) {
      k += c == '\\';
    } else if (c == '{' || c == '[') {
      open.push_back(0);
      if (open.size() > kDeepest) return Fault{k, "JSON that is nested too deep"};
    } else if (c == '}' || c == ']') {
      if (!open.empty()) open.pop_back();
    } else if (c == ':' && !open.empty() && ++open.back() > kMostEntries) {
      return Fault{k, "a JSON object with too many entries"};
    }
  }
  return std::nullopt;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& label, const std::string& hint,
                const Json::parser_callback_t& watch) {
  const auto error_at = [&](std::size_t place, const char* what) {
    const std::string_view before = text.substr(0, std::min(place, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return line_error(label, static_cast<std::size_t>(line), what, hint);
  };
  if (const std::optional<Fault> fault = fault_of_shape(text)) {
    throw error_at(fault->place, fault->what);
  }
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    throw error_at(error.byte > 0 ? error.byte - 1 : 0, "not valid JSON");
  } catch (const Json::out_of_range&) {
    throw Error(ErrorKind::bad_input, label + ": a number that is too large", hint);
  }
}

std::string json_problem(const Json::exception& error) {
  constexpr int kNoSuchKey = 403;  // "... key 'NAME' not found"
  if (error.id != kNoSuchKey) return "an entry has another type than it should have";
  const std::string_view text = error.what();
  const std::size_t begin = text.find('\''), end = text.rfind('\'');
  return std::string(text.substr(begin, end - begin + 1)) + " is missing";
}

}  // namespace accord
