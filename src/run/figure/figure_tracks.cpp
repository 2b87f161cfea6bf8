// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "run/figure/figure_content.hpp"
#include "run/figure/logo.hpp"

namespace accord {
namespace {

struct BarStyle {
  const char* name;
  Rgb colour;
};

const BarStyle& bar_style(FigureTrack track) {
  static const std::array<BarStyle, 3> kStyles = {{{"conservation", {0x7c, 0x86, 0x92}},
                                                   {"confidence", {0x2b, 0x6c, 0xb0}},
                                                   {"gaps", {0x9a, 0x4d, 0x00}}}};
  return kStyles[static_cast<std::size_t>(track)];
}

/// The height of a bar, from 0 to 1; NaN: no bar.
double bar_share(const FigureContent& figure, FigureTrack track, std::size_t c) {
  const ColumnCounts& column = figure.counts[c];
  if (track == FigureTrack::conservation) return column.conservation();
  if (track == FigureTrack::confidence) return figure.text.column_confidence[c];
  return 1 - static_cast<double>(column.residues) / std::max(1u, column.rows);
}

double track_height(const FigureContent& figure, FigureTrack track) {
  const FigureSizes& sizes = figure.sizes;
  switch (track) {
    case FigureTrack::logo:
      return sizes.logo;
    case FigureTrack::consensus:
      return sizes.line;
    case FigureTrack::structure:
      return structure_line(figure.text, "").empty() ? 0 : sizes.line;
    default:
      return sizes.bar;
  }
}

void draw_track_name(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
                     double height, const std::string& name) {
  canvas.text(area.left - figure.sizes.gap - 2, area.top + height - 3, name, figure.sizes.font - 1,
              kFigureSoftInk, FigureCanvas::Anchor::end);
}

void draw_bars(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
               FigureTrack track) {
  const FigureSizes& sizes = figure.sizes;
  const BarStyle& style = bar_style(track);
  for (std::size_t k = 0; k < area.columns.size(); ++k) {
    const double share = bar_share(figure, track, area.columns[k]);
    if (!(share > 0)) continue;  // NaN too
    const double height = share * sizes.bar;
    canvas.rectangle(area.left + static_cast<double>(k) * sizes.cell, area.top + sizes.bar - height,
                     sizes.cell - 1, height, style.colour);
  }
  draw_track_name(canvas, figure, area, sizes.bar, style.name);
}

/// Columns are as wide as their share of residues.
void draw_logo(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area) {
  const FigureSizes& sizes = figure.sizes;
  const double scale = sizes.logo / most_logo_bits(figure.text.type);
  for (std::size_t k = 0; k < area.columns.size(); ++k) {
    const ColumnCounts& column = figure.counts[area.columns[k]];
    const double width = (sizes.cell - 0.5) * column.residues / std::max(1u, column.rows);
    const double middle = area.left + (static_cast<double>(k) + 0.5) * sizes.cell;
    double bottom = area.top + sizes.logo;
    for (const LogoLetter& letter : logo_column(column, figure.text.type)) {
      const double height = letter.bits * scale;
      bottom -= height;
      constexpr double kLeastHeight = 0.1;  // what no eye sees
      if (height < kLeastHeight) continue;
      canvas.shape(letter_outline(letter.letter), middle - width / 2, bottom, width, height,
                   figure.scheme.letter_colour(letter.letter), std::string(1, letter.letter));
    }
  }
  const double x = area.left - 2, bottom = area.top + sizes.logo;
  canvas.line("M" + figure_number(x) + " " + figure_number(area.top) + "L" + figure_number(x) +
                  " " + figure_number(bottom),
              kFigureSoftInk);
  canvas.text(x - 3, area.top + 8, formatted("%.1f", most_logo_bits(figure.text.type)), 9,
              kFigureSoftInk, FigureCanvas::Anchor::end);
  draw_track_name(canvas, figure, area, sizes.logo, "bits");
}

void draw_consensus(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area) {
  std::string letters;
  for (const std::size_t c : area.columns) {
    const ColumnCounts& column = figure.counts[c];
    const char most = column.most_frequent();
    if (most == '\0' || 2 * column.residues < column.rows) {
      letters += '-';
    } else {
      letters += column.conservation() >= 0.5 ? most : static_cast<char>(most - 'A' + 'a');
    }
  }
  draw_letter_line(canvas, figure, area, letters, kFigureInk);
  draw_track_name(canvas, figure, area, figure.sizes.line, "consensus");
}

enum class Element { none, helix, strand };

Element element_of(char letter) {
  switch (letter) {
    case 'H':
    case 'G':
    case 'I':
      return Element::helix;
    case 'E':
    case 'B':
      return Element::strand;
    default:
      return Element::none;
  }
}

std::string place(double x, double y) { return figure_number(x) + " " + figure_number(y); }

/// A wave of one turn in two columns, or in what is left of them.
std::string wave(double x, double width, double middle, double height, double turn) {
  std::string path = "M" + place(x, middle);
  for (double at = 0; at < width - 0.01; at += turn) {
    const double step = std::min(turn, width - at) / 4;
    for (const double side : {-1.0, 1.0}) {
      const double from = x + at + (side < 0 ? 0 : 2 * step), y = middle + side * height;
      path += "C" + place(from + 0.6 * step, y) + " " + place(from + 1.4 * step, y) + " " +
              place(from + 2 * step, middle);
    }
  }
  return path;
}

constexpr Rgb kHelix = {0xc2, 0x3b, 0x5a}, kStrand = {0xd9, 0x96, 0x00};

void draw_element(FigureCanvas& canvas, const FigureContent& figure, Element element, double x,
                  double width, double top, double height) {
  const double middle = top + height / 2;
  if (element == Element::helix) {
    canvas.line(wave(x, width, middle, height / 2, 2 * figure.sizes.cell), kHelix, 1.6);
  } else if (element == Element::strand) {
    const double neck = std::max(0.0, width - figure.sizes.cell) / width;
    const std::string n = figure_number(neck);
    canvas.shape("M0 .3L" + n + " .3L" + n + " 0L1 .5L" + n + " 1L" + n + " .7L0 .7Z", x, top + 1,
                 width, height - 2, kStrand, "strand");
  } else {
    canvas.line("M" + place(x, middle) + "L" + place(x + width, middle), kFigureSoftInk);
  }
}

}  // namespace

std::string_view structure_line(const AlignmentText& text, std::string_view name) {
  const auto& lines = name.empty() ? text.markup.of_columns : text.markup.of_residues;
  for (const StockholmMarkup::Columns& line : lines) {
    if (line.name != name || line.text.size() != text.columns) continue;
    const std::string tag = lower_case(line.tag);
    if (tag == "ss" || tag.starts_with("ss_")) return line.text;
  }
  return {};
}

void draw_letter_line(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
                      std::string_view letters, const Rgb& ink) {
  const FigureSizes& sizes = figure.sizes;
  std::vector<double> x;
  const double first = area.left + (sizes.cell - sizes.letter()) / 2;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    x.push_back(first + static_cast<double>(k) * sizes.cell);
  }
  canvas.letters(x, area.top + sizes.line - 3, letters, sizes.font, ink);
}

void draw_structure(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area,
                    std::string_view line, double height) {
  const bool has_elements =
      figure.text.type == ResidueType::protein &&
      std::any_of(line.begin(), line.end(), [](char c) { return element_of(c) != Element::none; });
  if (!has_elements) {
    std::string letters;
    for (const std::size_t c : area.columns) letters += line[c];
    return draw_letter_line(canvas, figure, area, letters, kFigureInk);
  }
  const double cell = figure.sizes.cell;
  for (std::size_t k = 0, end = 0; k < area.columns.size(); k = end) {
    const Element element = element_of(line[area.columns[k]]);
    while (end < area.columns.size() && element_of(line[area.columns[end]]) == element) ++end;
    draw_element(canvas, figure, element, area.left + static_cast<double>(k) * cell,
                 static_cast<double>(end - k) * cell, area.top + 2, height - 4);
  }
}

double tracks_height(const FigureContent& figure) {
  double height = 0;
  for (const FigureTrack track : figure.tracks) {
    const double one = track_height(figure, track);
    if (one > 0) height += one + figure.sizes.gap;
  }
  return height;
}

void draw_tracks(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area) {
  FigureArea at = area;
  for (const FigureTrack track : figure.tracks) {
    const double height = track_height(figure, track);
    if (height <= 0) continue;
    canvas.begin_group(figure_track_names()[static_cast<std::size_t>(track)] + "-" +
                       std::to_string(area.columns.front() + 1));
    if (track == FigureTrack::logo) {
      draw_logo(canvas, figure, at);
    } else if (track == FigureTrack::consensus) {
      draw_consensus(canvas, figure, at);
    } else if (track == FigureTrack::structure) {
      draw_structure(canvas, figure, at, structure_line(figure.text, ""), height);
      draw_track_name(canvas, figure, at, height, "structure");
    } else {
      draw_bars(canvas, figure, at, track);
    }
    canvas.end_group();
    at.top += height + figure.sizes.gap;
  }
}

void draw_ruler(FigureCanvas& canvas, const FigureContent& figure, const FigureArea& area) {
  const FigureSizes& sizes = figure.sizes;
  for (std::size_t k = 0; k < area.columns.size(); ++k) {
    const std::size_t number = area.columns[k] + 1;
    if (number % 10 != 0 && k != 0) continue;
    const double x = area.left + (static_cast<double>(k) + 0.5) * sizes.cell;
    // The first number would run into one that stands less than three columns behind it.
    const bool is_crowded = number % 10 != 0 && number % 10 > 6;
    if (!is_crowded) {
      canvas.text(x, area.top + sizes.ruler - 5, std::to_string(number), 9, kFigureSoftInk,
                  FigureCanvas::Anchor::middle);
    }
    canvas.line("M" + place(x, area.top + sizes.ruler - 3) + "L" + place(x, area.top + sizes.ruler),
                kFigureSoftInk);
  }
}

}  // namespace accord
