// SPDX-License-Identifier: Apache-2.0
// The tables of options: every case walks them, so that an option is tested that has an entry.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "accord/api/api.hpp"
#include "api/call.hpp"
#include "app/cli/help.hpp"
#include "app/commands/commands.hpp"
#include "io/families/input_options.hpp"
#include "method/method_text.hpp"
#include "method/settings.hpp"
#include "run/devices/compute_options.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr ResidueType kType = ResidueType::protein;

/// An example as a caller gives it: that of a file has its path below datasets/.
std::string given(const std::string& example) {
  const bool is_file = example.find('.') != std::string::npos;
  return is_file ? source_dir() + "/datasets/" + example : example;
}

std::string example_text(const OptionField& field) { return given(example_of(field)); }

/// The options without which an option says nothing.
MethodOptions needs_of(const OptionField& field) {
  MethodOptions method;
  for (const auto& [name, text] : field.needs) method.set(name, given(text), name);
  return method;
}

std::string checksum(const MethodOptions& method, const FamilySource& source = {}) {
  return settings_checksum(source, make_settings(method, kType), kType);
}

/// The options that a line of `accord align` sets.
AlignOptions parsed(const std::vector<std::string>& line) {
  const auto options = std::make_shared<AlignOptions>();
  parse_arguments(align_command(options), line);
  return *options;
}

std::vector<std::string> line_of(const OptionField& field) {
  if (field.type == OptionType::flag) return {"a.fa", "--" + field.name};
  return {"a.fa", "--" + field.name, example_text(field)};
}

/// What the options of computing set.
auto fields_of(const ComputeOptions& options) {
  return std::tuple(options.device, options.threads, options.memory, options.time_limit,
                    options.opencl.kernel_directory, options.opencl.memory_bytes,
                    options.opencl.memory_percent);
}

/// The entries of the method and of the input, which the C++ interface takes by name.
std::vector<OptionField> named_fields() {
  std::vector<OptionField> fields;
  for (const MethodOption& option : method_options()) fields.push_back(option.field);
  for (const InputOption& option : input_options()) fields.push_back(option.field);
  return fields;
}

/// The entries of all tables.
std::vector<OptionField> all_fields() {
  std::vector<OptionField> fields = named_fields();
  for (const ComputeOption& option : compute_options()) fields.push_back(option.field);
  return fields;
}

}  // namespace

TEST_CASE("option tables: names differ, each has a help, and defaults are values") {
  std::set<std::string> names;
  for (const OptionField& field : all_fields()) {
    CAPTURE(field.name);
    CHECK(names.insert(field.name).second);
    CHECK_FALSE(field.help.empty());
    CHECK(field.value.empty() == (field.type == OptionType::flag));
    CHECK(example_of(field) != field.standard);
    if (field.type == OptionType::word) {
      for (const std::string& word : field.words) CHECK_NOTHROW(read_option(field, word, ""));
      CHECK(std::ranges::count(field.words, field.standard) == 1);
    }
    if (field.type == OptionType::word || field.type == OptionType::count) {
      const Error error = error_of([&] { read_option(field, "x1", "THE NAME"); });
      CHECK(error.kind() == ErrorKind::usage);
      CHECK(std::string(error.what()).starts_with("THE NAME x1: "));
      CHECK(error.hint().starts_with("use "));
    }
  }
  for (const MethodOption& option : method_options()) {
    const bool is_plain = option.reported.empty() && !option.is_of_models;
    CAPTURE(option.field.name);
    CHECK((!is_plain || MethodOptions().value_of(option.field).has_value()));
  }
}

TEST_CASE("option tables: every option of the method changes the checksum of the settings") {
  for (const MethodOption& option : method_options()) {
    CAPTURE(option.field.name);
    const MethodOptions without = needs_of(option.field);
    MethodOptions with = without;
    with.set(option.field.name, example_text(option.field), "");
    CHECK(checksum(with) != checksum(without));
  }
}

TEST_CASE("option tables: an option of the input changes the checksum if it is reported") {
  for (const InputOption& option : input_options()) {
    CAPTURE(option.field.name);
    FamilySource source;
    set_input_option(option, example_text(option.field), "", source);
    CHECK((checksum({}, source) != checksum({})) == option.reported.has_value());
  }
}

TEST_CASE("option tables: every option of the method is read back from its JSON") {
  CHECK(checksum(parse_method(format_method({}), "c.acc")) == checksum({}));
  for (const MethodOption& option : method_options()) {
    CAPTURE(option.field.name);
    MethodOptions method;
    method.set(option.field.name, example_text(option.field), "");
    const std::string text = format_method(method);
    CHECK(text != format_method({}));
    CHECK(format_method(parse_method(text, "c.acc")) == text);
    auto without = nlohmann::json::parse(text);
    without.erase(with_underscores(option.field.name));
    CHECK(error_of([&] { parse_method(without.dump(), "c.acc"); }).kind() == ErrorKind::bad_input);
  }
  MethodOptions along;
  along.set("tree", "guide.nwk", "tree");
  CHECK(error_of([&] { parse_method(format_method(along), "c.acc"); }).kind() ==
        ErrorKind::bad_input);
}

TEST_CASE("option tables: the command line takes every option, as the table has it") {
  for (const MethodOption& option : method_options()) {
    CAPTURE(option.field.name);
    MethodOptions expected;
    expected.set(option.field.name, example_text(option.field), "");
    CHECK(format_method(parsed(line_of(option.field)).method) == format_method(expected));
  }
  for (const InputOption& option : input_options()) {
    CAPTURE(option.field.name);
    FamilySource expected;
    set_input_option(option, example_text(option.field), "", expected);
    CHECK(checksum({}, parsed(line_of(option.field)).input) == checksum({}, expected));
  }
  for (const ComputeOption& option : compute_options()) {
    CAPTURE(option.field.name);
    ComputeOptions expected;
    set_compute_option(option.field.name, example_of(option.field), "", expected);
    CHECK(fields_of(expected) != fields_of({}));
    CHECK(fields_of(parsed(line_of(option.field)).compute) == fields_of(expected));
  }
}

TEST_CASE("option tables: the C++ interface takes every option by name") {
  std::vector<std::string> names;
  for (const api::OptionInfo& info : api::options()) {
    CAPTURE(info.name);
    names.push_back(info.name);
    CHECK(info.help.find('{') == std::string::npos);
    api::Options options;
    for (const auto& [name, text] : info.needs) options.named[name] = given(text);
    const auto sum = [&] {
      return settings_checksum(api::source_of(options), api::settings_of(options, kType), kType);
    };
    const std::string before = sum();
    options.named[with_underscores(info.name)] = given(info.example);
    const InputOption* const input = find_input_option(info.name);
    CHECK((sum() != before) == (input == nullptr || input->reported));
    CHECK_NOTHROW(api::check_names(options));
  }
  std::vector<std::string> expected;
  for (const OptionField& field : named_fields()) expected.push_back(field.name);
  CHECK(names == expected);
}

TEST_CASE("option tables: the schema of reports has every setting of the options") {
  const auto schema = nlohmann::json::parse(report_schema());
  const auto& parameters = schema["$defs"]["parameters"];
  const auto required = parameters["required"].get<std::vector<std::string>>();
  std::set<std::string> names;
  const auto check = [&](const auto& fields) {
    for (const auto& field : fields) {
      CAPTURE(field.name);
      CHECK(names.insert(field.name).second);
      CHECK(parameters["properties"].contains(field.name));
      CHECK(std::ranges::count(required, field.name) == 1);
      CHECK_FALSE(field.meaning.empty());
    }
  };
  check(reported_fields());
  check(reported_input_fields());
  CHECK(parameters["properties"].size() == required.size());
}

TEST_CASE("api: options by name stand before fields; unknown names and values are refused") {
  const std::vector<api::Sequence> family = {{"a", "MKVLAAGIV"}, {"b", "MK-VLAGIV"}};
  api::Options options;
  options.tree = "nj";
  options.named = {{"tree", "upgma"}, {"refine", "0"}, {"lenient", "false"}};
  const auto report = nlohmann::json::parse(api::align(family, options).report);
  CHECK(report["parameters"]["tree"] == "upgma");
  CHECK(report["parameters"]["refine_iterations"] == 0);
  const auto refused = [&](const std::string& name, const std::string& text) {
    api::Options wrong;
    wrong.named = {{name, text}};
    return error_of([&] { api::align(family, wrong); });
  };
  CHECK(refused("refin", "0").kind() == ErrorKind::usage);
  CHECK(std::string(refused("refin", "0").what()) == "refin: there is no such option");
  CHECK(refused("refine", "-1").kind() == ErrorKind::usage);
  CHECK(refused("gap-costs", "5,1").hint() ==
        "add matrix FILE, or change the gaps in a file for parameters");
  CHECK(refused("gaps", "error").kind() == ErrorKind::bad_input);
  CHECK(refused("max-seqs", "1").kind() == ErrorKind::bad_input);
}

TEST_CASE("api: lenient leaves characters out of sequences, with a warning") {
  const std::vector<api::Sequence> odd = {{"a", "MKV7LAAGIV"}, {"b", "MKVLAGIV"}};
  const Error error = error_of([&] { api::align(odd); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK(error.hint() == "lenient leaves such characters out");
  api::Options options;
  options.named = {{"lenient", "true"}};
  const api::Alignment alignment = api::align(odd, options);
  CHECK(alignment.rows[0].letters == "MKVLAAGIV");
  CHECK(alignment.warnings.size() == 1);
}
