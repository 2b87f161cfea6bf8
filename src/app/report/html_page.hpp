// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The page without its data, as it stands in src/report/html/; "@DATA@" stands where they go.
std::string_view alignment_page();

/// A track of bars above the columns of a page.
struct PageTrack {
  std::string name;
  std::vector<float> values;  ///< of each column, in [0, 1]; NaN: no bar
};

/// What the page shows of columns and residues: the confidence, or what stands in its place.
struct PageMeasure {
  std::string name = "confidence";
  std::vector<PageTrack> tracks = {};  ///< beside its own; eight fit
};

/// A page that shows an alignment in a browser, with everything that it needs in itself: rows with
/// residue colours faded by confidence, names, ruler, guide tree, conservation, confidence,
/// search, and the report of the run (JSON text; may be empty).
/// Rows of `alignment` must be in the order of the leaves of `tree`, which may be null: no tree.
std::string format_page(const std::string& title, const AlignmentText& alignment,
                        double mean_confidence, const GuideTree* tree, const std::string& report,
                        const PageMeasure& measure = {});

}  // namespace accord
