// SPDX-License-Identifier: Apache-2.0
#include "method/settings.hpp"

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"
#include "method/word_value.hpp"

namespace accord {

const char* to_string(TreeMethod tree) {
  switch (tree) {
    case TreeMethod::neighbor_joining:
      return "nj";
    case TreeMethod::file:
      return "file";
    case TreeMethod::upgma:
      break;
  }
  return "upgma";
}

const char* to_string(LargeFamilies large) {
  switch (large) {
    case LargeFamilies::never:
      return "never";
    case LargeFamilies::always:
      return "always";
    case LargeFamilies::automatic:
      break;
  }
  return "auto";
}

LargeFamilies large_families(const std::string& word, const std::string& what) {
  return value_of_word({LargeFamilies::automatic, LargeFamilies::never, LargeFamilies::always},
                       word, what, "word", "use auto, never or always");
}

const char* to_string(AlignMode mode) {
  switch (mode) {
    case AlignMode::local:
      return "local";
    case AlignMode::motifs:
      return "motifs";
    case AlignMode::posterior:
      break;
  }
  return "posterior";
}

AlignMode align_mode(const std::string& word, const std::string& what) {
  return value_of_word({AlignMode::posterior, AlignMode::local, AlignMode::motifs}, word, what,
                       "mode", "use posterior, local or motifs");
}

namespace {

ParameterSet parameter_set(const MethodOptions& method, ResidueType type) {
  const ParameterSet& set = method.parameters ? *method.parameters : built_in_parameters(type);
  if (!method.matrix) {
    if (!method.gap_costs) return set;
    throw Error(ErrorKind::usage, "gap costs need a matrix, since they are in its units",
                "add {matrix} FILE, or change the gaps in a file for {parameters}");
  }
  if (method.is_local()) {
    throw Error(ErrorKind::usage,
                std::string("a matrix for the mode ") + to_string(method.mode) +
                    ", which uses its own scores",
                "leave out {matrix}, or take the mode posterior");
  }
  return with_matrix(set, method.matrix, method.gap_costs);
}

}  // namespace

AlignSettings make_settings(const MethodOptions& method, ResidueType type) {
  AlignSettings settings;
  const ParameterSet set = parameter_set(method, type);
  settings.parameters = set.parameters;
  settings.parameter_set = set.name;
  settings.parameter_sha256 = sha256(set.text);
  settings.tree = method.tree_method();
  settings.tree_file = method.tree_file;
  settings.prunes = method.prunes;
  settings.large = method.large;
  settings.backbone = static_cast<std::size_t>(method.backbone);
  settings.effort = method.effort;
  settings.large_effort = large_effort(method.effort);
  if (method.intermediates) settings.large_effort.intermediates = 0;
  Parameters& parameters = settings.parameters;
  if (method.consistency) parameters.consistency.set_rounds(*method.consistency);
  if (method.intermediates) parameters.consistency.intermediates = *method.intermediates;
  if (method.refine) parameters.refine_iterations = *method.refine;
  settings.mode = method.mode;
  if (method.refine) settings.local_rounds = *method.refine;
  return settings;
}

bool has_built_in_parameters(const AlignSettings& settings, ResidueType type) {
  return settings.parameter_sha256 == sha256(built_in_parameters(type).text);
}

}  // namespace accord
