// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace accord::testing {

/// Checks JSON against the part of JSON Schema that the schema of reports uses: type, const,
/// enum, properties, required, additionalProperties, items, minimum, maximum, pattern, oneOf and
/// $ref into the schema itself. A keyword that is not known here is a problem, too, so that nothing
/// in a schema goes unchecked.
class SchemaCheck {
 public:
  explicit SchemaCheck(nlohmann::json root) : root_(std::move(root)) {}

  /// What is wrong, each with its path; empty if nothing is.
  std::vector<std::string> problems(const nlohmann::json& value) {
    problems_.clear();
    check(value, root_, "");
    return problems_;
  }

 private:
  void check(const nlohmann::json& value, const nlohmann::json& schema, const std::string& path) {
    for (const auto& [keyword, rule] : schema.items()) {
      check_keyword(value, schema, keyword, rule, path);
    }
  }

  void check_keyword(const nlohmann::json& value, const nlohmann::json& schema,
                     const std::string& keyword, const nlohmann::json& rule,
                     const std::string& path) {
    if (keyword == "$ref") {
      const std::string target = rule;
      check(value, root_.at(nlohmann::json::json_pointer(target.substr(1))), path);
    } else if (keyword == "oneOf") {
      check_one_of(value, rule, path);
    } else if (keyword == "type") {
      const nlohmann::json types = rule.is_array() ? rule : nlohmann::json::array({rule});
      require(std::any_of(types.begin(), types.end(),
                          [&](const auto& type) { return has_type(value, type); }),
              path, "is not " + rule.dump());
    } else if (keyword == "const") {
      require(value == rule, path, "is not " + rule.dump());
    } else if (keyword == "enum") {
      require(std::find(rule.begin(), rule.end(), value) != rule.end(), path,
              "is none of " + rule.dump());
    } else if (keyword == "minimum") {
      require(!value.is_number() || value >= rule, path, "is too small");
    } else if (keyword == "maximum") {
      require(!value.is_number() || value <= rule, path, "is too large");
    } else if (keyword == "pattern") {
      require(!value.is_string() ||
                  std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())),
              path, "does not look like " + rule.dump());
    } else if (keyword == "required") {
      for (const std::string name : rule) {
        require(!value.is_object() || value.contains(name), path + "." + name, "is not there");
      }
    } else if (keyword == "properties") {
      if (!value.is_object()) return;
      for (const auto& [name, part] : rule.items()) {
        if (value.contains(name)) check(value[name], part, path + "." + name);
      }
    } else if (keyword == "additionalProperties") {
      if (!value.is_object()) return;
      for (const auto& [name, part] : value.items()) {
        require(rule == true || schema["properties"].contains(name), path + "." + name,
                "is in no schema");
      }
    } else if (keyword == "items") {
      for (std::size_t k = 0; value.is_array() && k < value.size(); ++k) {
        check(value[k], rule, path + "[" + std::to_string(k) + "]");
      }
    } else if (keyword != "description" && keyword != "title" && keyword != "$schema" &&
               keyword != "$defs") {
      require(false, path, "has a rule that is not checked here: " + keyword);
    }
  }

  /// Of several schemas exactly one must fit; the problems of the nearest are told if none does.
  void check_one_of(const nlohmann::json& value, const nlohmann::json& schemas,
                    const std::string& path) {
    std::size_t fitting = 0;
    std::vector<std::string> fewest;
    for (const nlohmann::json& schema : schemas) {
      SchemaCheck part(root_);
      part.check(value, schema, path);
      fitting += part.problems_.empty();
      if (fewest.empty() || part.problems_.size() < fewest.size()) fewest = part.problems_;
    }
    if (fitting == 0) problems_.insert(problems_.end(), fewest.begin(), fewest.end());
    require(fitting == 1, path, "fits " + std::to_string(fitting) + " of the schemas");
  }

  static bool has_type(const nlohmann::json& value, const std::string& type) {
    return type == "null"      ? value.is_null()
           : type == "object"  ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "integer" ? value.is_number_integer()
           : type == "number"  ? value.is_number()
                               : false;
  }

  void require(bool holds, const std::string& path, const std::string& problem) {
    if (!holds) problems_.push_back(path + " " + problem);
  }

  nlohmann::json root_;
  std::vector<std::string> problems_;
};

}  // namespace accord::testing
