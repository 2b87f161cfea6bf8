// SPDX-License-Identifier: Apache-2.0
#include "method/method_text.hpp"

#include <nlohmann/json.hpp>
#include <variant>

#include "accord/base/error.hpp"
#include "io/files/json_text.hpp"
#include "io/files/sha256.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const OptionFile& file) {
  return {{"name", as_utf8(file.name)}, {"text", as_utf8(file.text)}};
}

Json json_of(const std::string& text) { return as_utf8(text); }

template <class Value>
Json json_of(const Value& value) {
  return value;
}

/// The text that gives an option the value in JSON.
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& part : value) text += (text.empty() ? "" : ",") + part.dump();
  return text;
}

void set_option(MethodOptions& method, const OptionField& field, const Json& value,
                const std::string& label) {
  if (value.is_null()) return;
  const std::string what = label + ": " + field.name;
  if (field.type == OptionType::file) {
    method.set(field.name, OptionFile{value.at("name"), value.at("text")});
    return;
  }
  method.set(field.name, text_of(value), what);
  if (field.name == "tree" && method.tree_method() == TreeMethod::file) {
    throw Error(ErrorKind::bad_input, what + " " + method.tree_file() + ": a tree of a file");
  }
}

MethodOptions method_of(const Json& json, const std::string& label) {
  MethodOptions method;
  for (const MethodOption& option : method_options()) {
    set_option(method, option.field, json.at(with_underscores(option.field.name)), label);
  }
  return method;
}

}  // namespace

std::string format_method(const MethodOptions& method) {
  Json json;
  for (const MethodOption& option : method_options()) {
    Json& place = json[with_underscores(option.field.name)];
    if (!method.has(option.field.name)) continue;
    std::visit([&](const auto& value) { place = json_of(value); }, *method.value_of(option.field));
  }
  return line_of(json);
}

MethodOptions parse_method(const std::string& text, const std::string& label) {
  try {
    return method_of(parse_json(text, label, {}), label);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::bad_input,
                label + ": the options of the method are damaged: " + json_problem(error));
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_input, error.what(), error.hint());
  }
}

std::string settings_checksum(const FamilySource& source, const AlignSettings& settings,
                              ResidueType type) {
  Json values = Json::array();
  visit_settings(source, settings, type, [&](const char* name, const auto& value) {
    values.push_back({name, value});
  });
  return sha256(line_of(values));
}

}  // namespace accord
