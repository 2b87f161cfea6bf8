// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/batch/batch_run.hpp"

namespace accord {

/// The path of an output that stands beside an alignment: its path with another suffix.
std::string path_beside(const std::string& alignment, const std::string& suffix);

/// A page (HTML, whole in itself) with a row for each family of a batch: its name, which leads to
/// its page, what became of it, sequences, columns and mean confidence. Links are relative to
/// `directory`, where the page is to stand.
std::string format_index_page(const std::string& directory,
                              const std::vector<BatchFamily>& families,
                              const std::vector<FamilyOutcome>& outcomes);

}  // namespace accord
