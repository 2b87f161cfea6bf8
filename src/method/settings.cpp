// SPDX-License-Identifier: Apache-2.0
#include "accord/method/settings.hpp"

#include "accord/files/sha256.hpp"

namespace accord {

AlignSettings make_settings(const MethodChoices& choices, ResidueType type) {
  AlignSettings settings;
  const ParameterSet& set = choices.parameters ? *choices.parameters : built_in_parameters(type);
  settings.parameters = set.parameters;
  settings.parameter_set = set.name;
  settings.parameter_sha256 = sha256(set.text);
  settings.tree = choices.tree;
  settings.tree_file = choices.tree_file;
  settings.large = choices.large;
  settings.core = static_cast<std::size_t>(choices.core);
  Parameters& parameters = settings.parameters;
  if (choices.consistency) parameters.consistency.set_rounds(*choices.consistency);
  if (choices.intermediates) parameters.consistency.intermediates = *choices.intermediates;
  if (choices.refine) parameters.refine.iterations = *choices.refine;
  return settings;
}

}  // namespace accord
