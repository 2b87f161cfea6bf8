// SPDX-License-Identifier: Apache-2.0
#include "method/settings.hpp"

#include <memory>
#include <optional>

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"

namespace accord {

namespace {

/// The set that the options of models make.
ParameterSet parameter_set(const MethodOptions& method, ResidueType type) {
  const auto* file = method.find<OptionFile>("parameters");
  ParameterSet set = file == nullptr ? built_in_parameters(type)
                                     : parse_parameter_set(file->text, input_label(file->name));
  const auto* matrix = method.find<OptionFile>("matrix");
  if (matrix == nullptr) return set;
  std::optional<GapCosts> costs;
  if (const auto* numbers = method.find<std::array<double, 2>>("gap-costs")) {
    costs = {(*numbers)[0], (*numbers)[1]};
  }
  return with_matrix(set,
                     std::make_shared<const SubstitutionMatrix>(
                         parse_substitution_matrix(matrix->text, input_label(matrix->name))),
                     costs);
}

}  // namespace

void apply_options(const MethodOptions& method, AlignSettings& settings) {
  settings.options = method;
  settings.tree = method.tree_method();
  settings.tree_file = method.tree_file();
  for (const MethodOption& option : method_options()) {
    if (option.apply == nullptr || !method.has(option.field.name)) continue;
    option.apply(*method.value_of(option.field), settings);
  }
}

void check_options(const MethodOptions& method) {
  if (method.has("gap-costs") && !method.has("matrix")) {
    throw Error(ErrorKind::usage, "gap costs need a matrix, since they are in its units",
                "add {matrix} FILE, or change the gaps in a file for {parameters}");
  }
  if (method.has("matrix") && method.is_local()) {
    throw Error(ErrorKind::usage,
                std::string("a matrix for the mode ") + to_string(method.mode()) +
                    ", which uses its own scores",
                "leave out {matrix}, or take the mode posterior");
  }
  const auto* prunes = method.find<bool>("prune");
  if (prunes != nullptr && *prunes && method.tree_method() != TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "leaves are to be left out of a guide tree, and none is from a file",
                "name a file for {tree}, or leave out {prune}");
  }
}

AlignSettings make_settings(const MethodOptions& method, ResidueType type) {
  check_options(method);
  AlignSettings settings;
  const ParameterSet set = parameter_set(method, type);
  settings.parameters = set.parameters;
  settings.parameter_set = set.name;
  settings.parameter_sha256 = sha256(set.text);
  apply_options(method, settings);
  return settings;
}

bool has_built_in_parameters(const AlignSettings& settings, ResidueType type) {
  return settings.parameter_sha256 == sha256(built_in_parameters(type).text);
}

}  // namespace accord
