// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/guide_tree.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The page without its data, as it stands in src/report/html/; "@DATA@" stands where they go.
std::string_view alignment_page();

/// A page that shows an alignment in a browser, with everything that it needs in itself: rows with
/// residue colours faded by confidence, names, ruler, guide tree, conservation, confidence,
/// search, and the report of the run (JSON text; may be empty).
/// Rows of `alignment` must be in the order of the leaves of `tree`, which may be null: no tree.
std::string format_page(const std::string& title, const AlignmentText& alignment,
                        double mean_confidence, const GuideTree* tree, const std::string& report);

}  // namespace accord
