// SPDX-License-Identifier: Apache-2.0
#include "accord/method/settings.hpp"

namespace accord {

AlignSettings make_settings(const MethodChoices& choices, ResidueType type) {
  AlignSettings settings;
  settings.mode = choices.mode;
  settings.parameters = default_parameters(type, choices.mode);
  settings.tree = choices.tree;
  settings.tree_file = choices.tree_file;
  Parameters& parameters = settings.parameters;
  if (choices.consistency) parameters.consistency.rounds = *choices.consistency;
  if (choices.intermediates) parameters.consistency.intermediates = *choices.intermediates;
  if (choices.refine) parameters.refine.iterations = *choices.refine;
  return settings;
}

}  // namespace accord
