// SPDX-License-Identifier: Apache-2.0
#include "method/method_text.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Value>
void read_optional(const Json& json, std::optional<Value>& value) {
  if (!json.is_null()) value = json.get<Value>();
}

Json matrix_json(const MethodOptions& method) {
  if (!method.matrix) return nullptr;
  return {{"name", as_utf8(method.matrix_file)}, {"text", as_utf8(method.matrix->text)}};
}

TreeMethod tree_method(const std::string& word, const std::string& label) {
  for (const TreeMethod tree : {TreeMethod::upgma, TreeMethod::neighbor_joining}) {
    if (word == to_string(tree)) return tree;
  }
  throw Error(ErrorKind::bad_input, label + ": an unknown guide tree, " + word);
}

MethodOptions method_of(const Json& json, const std::string& label) {
  MethodOptions method;
  const Json& parameters = json.at("parameters");
  if (!parameters.is_null()) {
    method.parameters = parse_parameter_set(parameters.get<std::string>(), label);
  }
  const Json& matrix = json.at("matrix");
  if (!matrix.is_null()) {
    matrix.at("name").get_to(method.matrix_file);
    method.matrix = std::make_shared<const SubstitutionMatrix>(
        parse_substitution_matrix(matrix.at("text").get<std::string>(), method.matrix_file));
  }
  const Json& costs = json.at("gap_costs");
  if (!costs.is_null()) method.gap_costs = {costs.at(0).get<double>(), costs.at(1).get<double>()};
  const Json& tree = json.at("tree");
  if (!tree.is_null()) method.tree = tree_method(tree.get<std::string>(), label);
  read_optional(json.at("consistency"), method.consistency);
  read_optional(json.at("intermediates"), method.intermediates);
  read_optional(json.at("refine"), method.refine);
  method.large = large_families(json.at("large").get<std::string>(), label + ": large");
  json.at("backbone").get_to(method.backbone);
  method.effort = effort_of(json.at("effort").get<std::string>(), label + ": effort");
  method.mode = align_mode(json.at("mode").get<std::string>(), label + ": mode");
  return method;
}

}  // namespace

std::string format_method(const MethodOptions& method) {
  const std::optional<GapCosts>& costs = method.gap_costs;
  Json json;
  json["parameters"] = method.parameters ? Json(as_utf8(method.parameters->text)) : Json(nullptr);
  json["matrix"] = matrix_json(method);
  json["gap_costs"] = costs ? Json::array({costs->open, costs->extend}) : Json(nullptr);
  json["tree"] = method.tree ? Json(to_string(*method.tree)) : Json(nullptr);
  json["consistency"] = or_null(method.consistency);
  json["intermediates"] = or_null(method.intermediates);
  json["refine"] = or_null(method.refine);
  json["large"] = to_string(method.large);
  json["backbone"] = method.backbone;
  json["effort"] = to_string(method.effort);
  json["mode"] = to_string(method.mode);
  return line_of(json);
}

MethodOptions parse_method(const std::string& text, const std::string& label) {
  try {
    return method_of(Json::parse(text), label);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::bad_input,
                label + ": the options of the method are damaged: " + error.what());
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
