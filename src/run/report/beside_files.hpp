// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_run.hpp"

namespace accord {

/// What a batch writes beside each alignment.
struct BesideFiles {
  bool confidence = false;  ///< a table
  bool trees = false;       ///< the guide tree, Newick
  bool pages = false;       ///< HTML
};

/// The paths of the files beside the alignment of a family.
std::vector<std::string> paths_beside(const BatchFamily& family, const BesideFiles& beside);

/// Has a batch write these files; its method must be set.
void write_beside(BatchSettings& settings, const BesideFiles& beside);

}  // namespace accord
