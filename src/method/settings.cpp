// SPDX-License-Identifier: Apache-2.0
#include "method/settings.hpp"

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"

namespace accord {

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

AlignSettings make_settings(const MethodOptions& choices, ResidueType type) {
  AlignSettings settings;
  const ParameterSet& set = choices.parameters ? *choices.parameters : built_in_parameters(type);
  settings.parameters = set.parameters;
  settings.parameter_set = set.name;
  settings.parameter_sha256 = sha256(set.text);
  settings.tree = choices.tree_method();
  settings.tree_file = choices.tree_file;
  settings.large = choices.large;
  settings.backbone = static_cast<std::size_t>(choices.backbone);
  Parameters& parameters = settings.parameters;
  if (choices.consistency) parameters.consistency.set_rounds(*choices.consistency);
  if (choices.intermediates) parameters.consistency.intermediates = *choices.intermediates;
  if (choices.refine) parameters.refine_iterations = *choices.refine;
  settings.mode = choices.mode;
  if (choices.refine) settings.local_rounds = *choices.refine;
  return settings;
}

}  // namespace accord
