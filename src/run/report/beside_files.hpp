// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_run.hpp"

namespace accord {

/// The files that a batch writes beside each alignment.
struct BesideFiles {
  bool confidence = false;  ///< a confidence table
  bool trees = false;       ///< the guide tree, Newick
  bool pages = false;       ///< a page of the alignment, HTML
};

/// The paths of the files that are written beside the alignment of a family: in the order table,
/// tree, page, with the suffixes .confidence.tsv, .dnd and .html.
std::vector<std::string> paths_beside(const BatchFamily& family, const BesideFiles& beside);

/// Has a batch write these files: sets the fields `beside`, `beside_confidence` and `beside_name`
/// of its settings. `settings.method` must be set before.
void request_beside_files(BatchSettings& settings, const BesideFiles& beside);

}  // namespace accord
