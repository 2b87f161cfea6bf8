// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "run/compare_run.hpp"

namespace accord::run {

/// The page (HTML) of an alignment with its agreement with others in place of a confidence; the
/// first others can be shown instead. `found` is the comparison of the same alignments, with marks.
std::string comparison_page(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                            const std::vector<std::string>& labels, const Comparison& found);

}  // namespace accord::run
