// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_run.hpp"

namespace accord {

/// The files that a batch writes beside each alignment.
struct BesideFiles {
  bool confidence = false;  ///< a table
  bool trees = false;       ///< the guide tree, Newick
  bool pages = false;       ///< HTML
};

/// The paths of the files that are written beside the alignment of a family.
std::vector<std::string> paths_beside(const BatchFamily& family, const BesideFiles& beside);

/// Sets the fields `beside`, `beside_confidence` and `beside_name` of `settings`, so that the batch
/// writes these files. `settings.method` must be set before.
void write_beside(BatchSettings& settings, const BesideFiles& beside);

}  // namespace accord
