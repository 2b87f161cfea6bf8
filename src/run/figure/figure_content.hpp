// SPDX-License-Identifier: Apache-2.0
// What the parts of a figure share.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/figure/colour_scheme.hpp"
#include "run/figure/figure.hpp"
#include "run/figure/figure_canvas.hpp"

namespace accord {

inline constexpr Rgb kFigureInk = {0x1b, 0x1f, 0x24};
inline constexpr Rgb kFigureSoftInk = {0x5a, 0x63, 0x6e};
inline constexpr Rgb kFigureMark = {0x9a, 0x4d, 0x00};

/// Sizes of a figure, in pixels.
struct FigureSizes {
  double cell = 8, row = 14, font = 11;
  double bar = 24, logo = 56, line = 14, ruler = 14;
  double margin = 10, gap = 4, between_blocks = 18;

  /// The width of a letter.
  double letter() const { return 0.6 * font; }
};

/// The alignment of a figure, and what is shown of it.
struct FigureContent {
  const AlignmentText& text;
  const FigureOptions& options;
  ColourScheme scheme;
  std::vector<ColumnCounts> counts;  ///< of each column of the alignment
  std::vector<std::size_t> rows;     ///< that are shown, as places in the alignment
  std::vector<bool> is_marked;       ///< of each row of the alignment
  std::vector<std::size_t> columns;  ///< that are shown
  std::vector<FigureTrack> tracks;   ///< that are shown and known
  FigureSizes sizes = {};

  bool has(FigureTrack track) const;
};

/// The rectangle of a block that the columns have. `columns`: places in the alignment.
struct FigureArea {
  std::span<const std::size_t> columns;
  double left = 0;  ///< of the first column
  double top = 0;
};

/// The line of secondary structure of a row, a character for each column; of the alignment for an
/// empty name. Empty: there is none.
std::string_view structure_line(const AlignmentText& text, std::string_view name);

/// Draws letters in the cells of columns, letters[k] over area.columns[k].
void draw_letter_line(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
                      std::string_view letters, const Rgb& ink);

/// The height of all tracks above a block.
double tracks_height(const FigureContent& figure);
/// Draws the tracks above a block, with their names to the left of the columns.
void draw_tracks(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area);
/// Draws helices as waves, strands as arrows, and what is neither as a line; of nucleotides, and of
/// lines that have neither, the characters.
void draw_structure(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
                    std::string_view line, double height);
/// Draws the numbers of columns.
void draw_ruler(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area);
/// Draws the legend at (x, y), in a width.
/// Returns  its height.
double draw_legend(FigureCanvas& canvas, const FigureContent& figure, double x, double y,
                   double width);

}  // namespace accord
