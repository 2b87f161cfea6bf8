// SPDX-License-Identifier: Apache-2.0
// Figures of alignments for articles, as SVG or PDF.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/formats/alignment_text.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {

/// What a figure shows above the columns.
enum class FigureTrack {
  conservation,  ///< a bar: the share of the most frequent residue
  confidence,    ///< a bar
  gaps,          ///< a bar: the share of the rows with a gap
  logo,          ///< see logo_column()
  consensus,     ///< the most frequent residue, small if fewer than half of the rows have it
  structure      ///< helices and strands, of the alignment and below each row that has them
};

/// The names of all tracks, in their order from the top to the bottom.
std::vector<std::string> figure_track_names();

/// Reads a list of names of tracks with commas between them; "none" is no track. The tracks are in
/// the order of figure_track_names().
/// Throws  Error{usage} for another name.
std::vector<FigureTrack> parse_figure_tracks(const std::string& text);

/// What a figure shows, and how.
struct FigureOptions {
  /// The name of a ColourScheme; empty: residues, faded by confidence where that is known.
  std::string colours;
  std::vector<ColumnRange> columns;  ///< the columns that are shown; empty: all
  /// The names of the rows that are shown, from the top; empty: all, in the order of the alignment.
  std::vector<std::string> rows;
  std::vector<std::string> marked;  ///< the names of the rows that are marked
  std::size_t wrap = 60;            ///< columns of a block; 0: all in one strip
  std::vector<FigureTrack> above = {FigureTrack::conservation, FigureTrack::confidence,
                                    FigureTrack::structure};
  bool is_logo = false;  ///< a logo alone, without rows
  bool is_pdf = false;   ///< PDF, else SVG
};

/// The cells, rows times columns, that a figure may have.
inline constexpr std::size_t kMostFigureCells = 4'000'000;

/// Draws an alignment as a file of SVG or PDF: blocks of rows with names, the numbers of the first
/// and the last residue of each row, a ruler, tracks above the columns, and a legend. Tracks and
/// colours are of the whole alignment, also where the figure shows some rows. A track of a
/// confidence that is not known is left out. A bar stands beside the name of a marked row. A
/// residue of a row named NAME/12-80 has the number that it has in NAME. Throws  Error{usage} for
/// colours, rows or columns that do not exist, or colours of a confidence
///         that is not known; Error{bad_input} if the figure would have more than
///         kMostFigureCells.
std::string format_figure(const AlignmentText& text, const std::string& title,
                          const FigureOptions& options);

}  // namespace accord
