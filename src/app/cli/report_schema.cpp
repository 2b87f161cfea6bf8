// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/help.hpp"
#include "base/text.hpp"
#include "method/settings.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

/// The part of the schema that a reference points to; the part itself if it is no reference.
const Json& resolved(const Json& schema, const Json& root) {
  if (!schema.contains("$ref")) return schema;
  const std::string path = schema["$ref"];
  return root.at(Json::json_pointer(path.substr(1)));
}

/// "string", "number or null", "list of object".
std::string type_of(const Json& schema, const Json& root) {
  if (schema.contains("const")) return schema["const"].dump();
  const Json& type = schema.at("type");
  std::string text = type.is_array()
                         ? type[0].get<std::string>() + " or " + type[1].get<std::string>()
                         : type.get<std::string>();
  if (text == "array") text = "list of " + type_of(resolved(schema["items"], root), root);
  return text;
}

void format_field(const Json& schema, const Json& root, const std::string& path,
                  std::string& text) {
  const Json& part = resolved(schema, root);
  if (!path.empty()) {
    text += "  " + path + "  (" + type_of(part, root) + ")\n      " +
            part.value("description", std::string()) + "\n";
  }
  if (part.contains("items")) {
    const Json& item = resolved(part["items"], root);
    if (item.contains("properties")) {
      for (const auto& [name, property] : item["properties"].items()) {
        format_field(property, root, path + "[]." + name, text);
      }
    }
  } else if (part.contains("properties")) {
    for (const auto& [name, property] : part["properties"].items()) {
      format_field(property, root, path.empty() ? name : path + "." + name, text);
    }
  }
}

/// Adds a setting to the part of the schema about the parameters of a run.
template <class Settings>
void add_field(Json& parameters, const SettingField<Settings>& field) {
  constexpr std::array kTypes = {"boolean", "integer", "number", "string"};  // as in SettingValue
  const SettingValue value = field.value(Settings{});
  Json schema = {{"type", kTypes[value.index()]},
                 {"description", command_line_hint(field.meaning)}};
  if (value.index() == 1 || value.index() == 2) schema["minimum"] = 0;
  if (!field.words.empty()) schema["enum"] = field.words;
  // Empty for a file that the run does not have.
  if (field.name.ends_with("sha256")) schema["pattern"] = "^([0-9a-f]{64})?$";
  parameters["required"].push_back(field.name);
  parameters["properties"][field.name] = std::move(schema);
}

/// The schema with the settings that follow from the tables of options.
Json whole_schema() {
  Json root = Json::parse(report_schema_frame());
  Json& parameters = root["$defs"]["parameters"];
  for (const auto& field : reported_fields()) add_field(parameters, field);
  for (const auto& field : reported_input_fields()) add_field(parameters, field);
  return root;
}

}  // namespace

std::string report_schema() { return whole_schema().dump(1) + "\n"; }

std::string format_report_fields() {
  const Json root = whole_schema();
  std::string text =
      "What --report writes, as JSON. 'accord help report-schema' prints the same as a JSON\n"
      "schema that programs can check reports with.\n";
  const auto add = [&](const std::string& title, const char* definition) {
    text += "\n" + title + ":\n";
    format_field(root["$defs"][definition], root, "", text);
  };
  add("accord align --report, accord ensemble --report", "align");
  add("accord add --report, accord merge --report", "given");
  add("accord batch --report", "batch");
  add("a run that failed", "failed");
  return text;
}

}  // namespace accord
