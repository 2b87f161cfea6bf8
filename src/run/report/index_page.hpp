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

}  // namespace accord
