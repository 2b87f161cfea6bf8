// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "run/compare_run.hpp"

namespace accord::run {

/// An HTML page that shows an alignment, and in place of the confidence its agreement with other
/// alignments of the same sequences. On the page a reader can switch to one of the first eight
/// others. `labels`: the names of the others; `found`: compare() of these alignments, with marks.
std::string comparison_page(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                            const std::vector<std::string>& labels, const Comparison& found);

}  // namespace accord::run
