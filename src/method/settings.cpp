// SPDX-License-Identifier: Apache-2.0
#include "method/settings.hpp"

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"

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
  for (const LargeFamilies large :
       {LargeFamilies::automatic, LargeFamilies::never, LargeFamilies::always}) {
    if (word == to_string(large)) return large;
  }
  throw Error(ErrorKind::usage, what + " " + word + ": unknown word", "use auto, never or always");
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
  for (const AlignMode mode : {AlignMode::posterior, AlignMode::local, AlignMode::motifs}) {
    if (word == to_string(mode)) return mode;
  }
  throw Error(ErrorKind::usage, what + " " + word + ": unknown mode",
              "use posterior, local or motifs");
}

AlignSettings make_settings(const MethodOptions& method, ResidueType type) {
  AlignSettings settings;
  const ParameterSet& set = method.parameters ? *method.parameters : built_in_parameters(type);
  settings.parameters = set.parameters;
  settings.parameter_set = set.name;
  settings.parameter_sha256 = sha256(set.text);
  settings.tree = method.tree_method();
  settings.tree_file = method.tree_file;
  settings.prunes = method.prunes;
  settings.large = method.large;
  settings.backbone = static_cast<std::size_t>(method.backbone);
  Parameters& parameters = settings.parameters;
  if (method.consistency) parameters.consistency.set_rounds(*method.consistency);
  if (method.intermediates) parameters.consistency.intermediates = *method.intermediates;
  if (method.refine) parameters.refine_iterations = *method.refine;
  settings.mode = method.mode;
  if (method.refine) settings.local_rounds = *method.refine;
  return settings;
}

}  // namespace accord
