// SPDX-License-Identifier: Apache-2.0
#include "run/report/recorded_run.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "accord/base/error.hpp"
#include "io/families/input_options.hpp"
#include "io/files/json_text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/formats/formats.hpp"
#include "method/method_text.hpp"
#include "run/report/report.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Text as it is, other values as in JSON.
std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : line_of(value);
}

/// How the inputs of a report were read. Options that name files are not set: the report has their
/// checksums alone.
FamilySource source_of(const Json& report, const std::string& label) {
  FamilySource source;
  source.shows_names = false;
  const Json& parameters = report.at("parameters");
  for (const InputOption& option : input_options()) {
    const OptionType type = option.field.type;
    if (type == OptionType::file || type == OptionType::word_or_file) continue;
    if (!option.reported || !parameters.contains(option.reported->name)) continue;
    set_input_option(option, text_of(parameters[option.reported->name]),
                     label + ": " + option.reported->name, source);
  }
  if (!report.at("input").at("type_detected").get<bool>()) {
    set_input_option(*find_input_option("type"), text_of(report["input"].at("type")), label,
                     source);
  }
  return source;
}

/// Refuses a report whose parameters were changed after it was written.
void check_parameters(const Json& report, const std::string& label) {
  const std::string checksum =
      parameters_checksum(report.at("accord_version"), line_of(report.at("parameters")));
  if (report.at("parameters_sha256").get<std::string>() == checksum) return;
  throw Error(ErrorKind::bad_input,
              label + ": the parameters do not have the checksum parameters_sha256",
              "the report was changed after it was written; get it anew");
}

RecordedRun recorded_run_of(const Json& report, const std::string& label) {
  if (report.contains("error")) {
    throw Error(ErrorKind::bad_input,
                label + ": the report of a run that failed: " +
                    report["error"].at("text").get<std::string>(),
                "only an alignment that was made can be verified");
  }
  const std::string command = report.at("command");
  if (command != "align") {
    throw Error(ErrorKind::usage, label + ": a report of accord " + command,
                "only what 'accord align' makes can be verified");
  }
  check_parameters(report, label);
  RecordedRun recorded{.label = label,
                       .version = report.at("accord_version"),
                       .source = source_of(report, label),
                       .has_tracks = !report.at("parameters").value("track_sha256", "").empty(),
                       .files = {},
                       .options = line_of(report.at("options")),
                       .parameters = line_of(report.at("parameters")),
                       .parameters_sha256 = report.at("parameters_sha256"),
                       .result_sha256 = report.at("output").at("result_sha256")};
  for (const Json& file : report.at("input").at("files")) {
    recorded.files.push_back({file.at("path"), file.at("bytes"), file.at("sha256")});
  }
  return recorded;
}

/// Whether options in JSON have the guide tree of a file.
bool has_tree_file(const Json& options) {
  const Json& tree = options.at("tree");
  return !tree.is_null() && tree != "upgma" && tree != "nj";
}

}  // namespace

RecordedRun parse_report(std::string_view text, const std::string& label) {
  const std::string hint =
      "'accord align --report FILE' writes one; 'accord help report' describes it";
  check_reading(text.size() + parsing_bytes(text, AlignmentFormat::json), label,
                "the values of the report");
  const Json report = parse_json(text, label, hint);
  try {
    return recorded_run_of(report, label);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::bad_input, label + ": not a report of accord: " + json_problem(error),
                hint);
  }
}

MethodOptions method_of(const RecordedRun& recorded, const MethodOptions& given) {
  Json options = Json::parse(recorded.options);
  const Json replaced = Json::parse(format_method(given));
  for (const auto& [name, value] : replaced.items()) {
    if (!value.is_null()) options[name] = value;
  }
  std::string tree_file;
  if (options.contains("tree") && has_tree_file(options)) {
    tree_file = given.tree_file();
    if (tree_file.empty()) {
      throw Error(ErrorKind::usage,
                  recorded.label + ": the guide tree was in the file " + text_of(options["tree"]),
                  "name a copy of it with {tree} FILE");
    }
    options["tree"] = nullptr;
  }
  MethodOptions method = parse_method(line_of(options), recorded.label);
  if (!tree_file.empty()) method.set("tree", tree_file, "tree");
  return method;
}

std::string parameter_difference(const std::string& recorded, const std::string& here) {
  const Json then = Json::parse(recorded), now = Json::parse(here);
  std::set<std::string> names;
  for (const Json* parameters : {&then, &now}) {
    for (const auto& [name, value] : parameters->items()) names.insert(name);
  }
  const auto shown = [](const Json& parameters, const std::string& name) {
    if (!parameters.contains(name)) return std::string("not there");
    const std::string text = text_of(parameters[name]);
    return text.empty() ? "empty" : text;
  };
  for (const std::string& name : names) {
    const std::string before = shown(then, name), after = shown(now, name);
    if (before != after) return name + " is " + before + " in the report and " + after + " here";
  }
  return {};
}

}  // namespace accord
