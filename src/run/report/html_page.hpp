// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/guide_tree.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The page without its data, joined from src/run/report/html/; "@DATA@" stands where they go.
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

/// Two kinds of rows that the page tells apart, such as the backbone of a large family and the rows
/// that are placed on it.
struct PageGroups {
  std::string core, rest;     ///< what they are called
  std::vector<bool> is_core;  ///< of each row
};

/// Another alignment of the same rows, in the same order, that the page can show instead.
struct PageAlternative {
  std::string name;
  AlignmentText alignment;
  double mean = 0;  ///< of its measure, as that of the page; NaN if there is none
};

/// What stands on a page beside the alignment.
struct PageParts {
  std::string title;
  double mean = 0;                  ///< of the measure over the alignment; NaN: none
  const GuideTree* tree = nullptr;  ///< its leaves in the order of the rows; null: no tree
  std::string report;               ///< of the run, JSON or a table; may be empty
  PageMeasure measure = {};
  std::optional<PageGroups> groups = {};
  std::string name = {};  ///< of the alignment, if there are others
  std::vector<PageAlternative> others = {};
  bool is_part = false;  ///< rows are left out, so that what trim would cut cannot be shown
  /// Whether the confidence is the one that `accord trim` computes without further options: that of
  /// a large family, or of sequences that are added, is of some pairs, and other parameters give
  /// another.
  bool is_confidence_of_trim = true;
};

/// Whether a page of these rows and residues still opens quickly (about 10 MB): larger families
/// are shown by some of their rows.
constexpr bool fits_page(std::size_t rows, std::size_t residues) {
  return rows <= 10'000 && residues <= 4'000'000;
}

/// A page that shows an alignment in a browser, with everything that it needs in itself: rows with
/// residue colours faded by confidence, names, ruler, guide tree, conservation, confidence,
/// search, trim preview, and the report of the run. In its data a number in a row stands for so
/// many gaps.
std::string format_page(const AlignmentText& alignment, const PageParts& parts);

}  // namespace accord
