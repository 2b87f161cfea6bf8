// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_run.hpp"

namespace accord {

/// The path of a file beside an alignment: the path of the alignment, with `suffix` (such as
/// ".html") in place of its last suffix.
std::string path_beside(const std::string& alignment, const std::string& suffix);

/// A page (one HTML file) with a row for each family of a batch: its name, with a link to its page,
/// its status, its sequences, columns and mean confidence. outcomes[k] is the outcome of
/// families[k]. Links are relative to `directory`, the directory of this page.
std::string format_index_page(const std::string& directory,
                              const std::vector<BatchFamily>& families,
                              const std::vector<FamilyOutcome>& outcomes);

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
