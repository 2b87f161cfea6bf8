// SPDX-License-Identifier: Apache-2.0
#include "run/figure/figure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/files/utf8.hpp"
#include "options/option_field.hpp"
#include "run/figure/figure_content.hpp"
#include "run/figure/pdf_canvas.hpp"
#include "run/figure/svg_canvas.hpp"
#include "tools/range_names.hpp"

namespace accord {
namespace {

constexpr std::size_t kMostNameLetters = 30;

/// The name of a row as a figure has it: the middle of a long one goes.
std::string shown_name(const std::string& name) {
  std::string text = as_utf8(name);
  if (display_width(text) <= kMostNameLetters) return text;
  constexpr std::size_t kHead = 18, kTail = kMostNameLetters - kHead - 1;
  std::string head, tail;
  const std::size_t letters = display_width(text);
  std::size_t place = 0;
  for (std::size_t at = 0; at < text.size(); ++place) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    if (place < kHead) head += text.substr(at, end - at);
    if (place >= letters - kTail) tail += text.substr(at, end - at);
    at = end;
  }
  return head + "\u2026" + tail;
}

/// The number of the first residue of a row: 12 for NAME/12-80 if the row has so many residues.
std::size_t first_number(std::string_view name, std::size_t residues) {
  if (counted_by_name(name) != residues) return 1;
  std::size_t first = 1, last = 0;
  const std::string_view range = name.substr(name.rfind('/') + 1);
  const std::size_t dash = std::min(range.find('-'), range.size() - 1);
  std::from_chars(range.data(), range.data() + dash, first);
  std::from_chars(range.data() + dash + 1, range.data() + range.size(), last);
  return first <= last ? first : 1;
}

double sureness(char code) {
  if (code == '*') return 0.975;
  return code >= '0' && code <= '9' ? (code - '0') / 10.0
                                    : std::numeric_limits<double>::quiet_NaN();
}

/// A row of a figure: the residues of the columns that are shown.
struct FigureRow {
  std::string name;
  bool is_marked = false;
  std::string letters;              ///< of each column that is shown, `-` for a gap
  std::vector<double> sure;         ///< of each of these columns; NaN: unknown
  std::vector<std::size_t> number;  ///< of the residue in the column, or of the one before it
  std::string_view structure;       ///< of all columns; empty: none
};

FigureRow figure_row(const FigureContent& figure, std::size_t r) {
  const AlignmentText& text = figure.text;
  FigureRow row{shown_name(text.whole_name(r)), figure.is_marked[r], {}, {}, {}, {}};
  const std::string letters = text.rows[r];
  const std::string codes = text.has_codes(r) ? text.posterior_codes(r) : std::string();
  if (figure.has(FigureTrack::structure)) row.structure = structure_line(text, text.names[r]);
  std::size_t number = first_number(text.whole_name(r), text.rows.residues(r).size()) - 1;
  std::size_t c = 0;
  for (const std::size_t wanted : figure.columns) {
    for (; c <= wanted; ++c) number += letters[c] != kGap;
    row.letters += letters[wanted];
    row.number.push_back(number);
    row.sure.push_back(codes.empty() ? std::numeric_limits<double>::quiet_NaN()
                                     : sureness(codes[wanted]));
  }
  return row;
}

/// Draws rows in blocks, one below the other.
class FigurePainter {
 public:
  FigurePainter(const FigureContent& figure, FigureCanvas& canvas)
      : figure_(figure), canvas_(canvas) {
    if (figure.options.is_logo) return;
    for (const std::size_t r : figure.rows) rows_.push_back(figure_row(figure, r));
    for (const FigureRow& row : rows_) {
      names_ = std::max(names_, display_width(row.name));
      if (!row.number.empty()) most_number_ = std::max(most_number_, row.number.back());
    }
  }

  std::string paint(const std::string& title) {
    const FigureSizes& sizes = figure_.sizes;
    const std::size_t all = figure_.columns.size();
    const std::size_t wrap = figure_.options.wrap == 0 ? all : figure_.options.wrap;
    double y = sizes.margin;
    for (std::size_t first = 0; first < all; first += wrap) {
      y = paint_block(first, std::min(all, first + wrap), y) + sizes.between_blocks;
    }
    const double columns = static_cast<double>(std::min(wrap, all)) * sizes.cell;
    const double width = std::max(360.0, left() + columns + number_width() + sizes.margin);
    y += draw_legend(canvas_, figure_, sizes.margin, y - sizes.between_blocks + 6,
                     width - 2 * sizes.margin);
    return canvas_.finish(width, y, title);
  }

 private:
  double number_width() const {
    return rows_.empty() ? 0
                         : 6 + static_cast<double>(std::to_string(most_number_).size()) *
                                   figure_.sizes.letter();
  }
  /// The x of the first column.
  double left() const {
    constexpr double kTrackNames = 13;  // "conservation", in letters
    const FigureSizes& sizes = figure_.sizes;
    const double names = std::max(kTrackNames, static_cast<double>(names_) + 1);
    return sizes.margin + names * sizes.letter() + number_width();
  }

  double paint_block(std::size_t first, std::size_t end, double y) {
    const FigureSizes& sizes = figure_.sizes;
    FigureArea area{std::span(figure_.columns).subspan(first, end - first), left(), y};
    canvas_.begin_group("block-" + std::to_string(area.columns.front() + 1));
    draw_tracks(canvas_, figure_, area);
    area.top += tracks_height(figure_);
    draw_ruler(canvas_, figure_, area);
    area.top += sizes.ruler;
    for (const FigureRow& row : rows_) area.top = paint_row(row, first, area);
    canvas_.end_group();
    return area.top;
  }

  double paint_row(const FigureRow& row, std::size_t first, const FigureArea& area) {
    const FigureSizes& sizes = figure_.sizes;
    const std::size_t end = first + area.columns.size();
    const double baseline = area.top + sizes.row - 3.5;
    if (row.is_marked) {
      canvas_.rectangle(sizes.margin - 6, area.top + 1, 3, sizes.row - 2, kFigureMark);
    }
    canvas_.text(sizes.margin, baseline, row.name, sizes.font,
                 row.is_marked ? kFigureMark : kFigureInk);
    const std::size_t before = first_of(row, first, end);
    if (before > 0) {
      canvas_.text(area.left - 4, baseline, std::to_string(before), 9, kFigureSoftInk,
                   FigureCanvas::Anchor::end);
      canvas_.text(area.left + static_cast<double>(area.columns.size()) * sizes.cell + 4, baseline,
                   std::to_string(row.number[end - 1]), 9, kFigureSoftInk);
    }
    paint_cells(row, first, area);
    double bottom = area.top + sizes.row;
    if (!row.structure.empty()) {
      FigureArea below = area;
      below.top = bottom;
      draw_structure(canvas_, figure_, below, row.structure, sizes.line);
      bottom += sizes.line;
    }
    return bottom;
  }

  /// The number of the first residue of a row in a block; 0 if there is none.
  static std::size_t first_of(const FigureRow& row, std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      if (row.letters[k] != kGap) return row.number[k];
    }
    return 0;
  }

  /// A rectangle for each run of one colour, then the letters, one text for each ink.
  void paint_cells(const FigureRow& row, std::size_t first, const FigureArea& area) {
    const FigureSizes& sizes = figure_.sizes;
    struct Ink {
      std::vector<double> x;
      std::string letters;
    };
    std::map<Rgb, Ink> inks;
    std::optional<Rgb> fill;
    std::size_t begin = 0;  // of the run of `fill`
    const auto end_run = [&](std::size_t k) {
      if (!fill) return;
      canvas_.rectangle(area.left + static_cast<double>(begin) * sizes.cell, area.top,
                        static_cast<double>(k - begin) * sizes.cell, sizes.row, *fill);
    };
    for (std::size_t k = 0; k < area.columns.size(); ++k) {
      const char letter = row.letters[first + k];
      std::optional<Rgb> here;
      if (letter != kGap) {
        here = figure_.scheme.colour(letter, figure_.counts[area.columns[k]], row.sure[first + k]);
      }
      if (here != fill) {
        end_run(k);
        fill = here;
        begin = k;
      }
      Ink& ink = inks[letter == kGap ? kFigureSoftInk : here ? ink_on(*here) : Rgb{0, 0, 0}];
      ink.letters += letter;
      ink.x.push_back(area.left + static_cast<double>(k) * sizes.cell +
                      (sizes.cell - sizes.letter()) / 2);
    }
    end_run(area.columns.size());
    for (const auto& entry : inks) {
      canvas_.letters(entry.second.x, area.top + sizes.row - 3.5, entry.second.letters, sizes.font,
                      entry.first);
    }
  }

  const FigureContent& figure_;
  FigureCanvas& canvas_;
  std::vector<FigureRow> rows_;
  std::size_t names_ = 0, most_number_ = 0;  ///< the longest name; the largest number
};

std::vector<std::size_t> chosen_columns(const AlignmentText& text, const FigureOptions& options) {
  std::vector<std::size_t> columns;
  const std::vector<bool> is_chosen = columns_in(options.columns, text.columns);
  for (std::size_t c = 0; c < text.columns; ++c) {
    if (is_chosen[c]) columns.push_back(c);
  }
  if (columns.empty()) {
    throw Error(ErrorKind::usage,
                "no column is left for the figure, of " + counted(text.columns, "column"),
                "choose others with {columns}");
  }
  return columns;
}

/// The row of a name in the file of the option `option`.
std::size_t row_of(const AlignmentText& text, const std::string& name, const std::string& option) {
  const std::size_t r = text.row_named(name);
  if (r < text.rows.size()) return r;
  throw Error(ErrorKind::usage, "the alignment has no row " + name + " for the figure",
              "'accord stats' lists the rows; {" + option + "} takes a name a line");
}

std::vector<std::size_t> chosen_rows(const AlignmentText& text, const FigureOptions& options) {
  std::vector<std::size_t> rows;
  if (options.rows.empty()) {
    for (std::size_t r = 0; r < text.rows.size(); ++r) rows.push_back(r);
  }
  for (const std::string& name : options.rows) rows.push_back(row_of(text, name, "rows"));
  return rows;
}

std::vector<bool> marked_rows(const AlignmentText& text, const FigureOptions& options) {
  std::vector<bool> is_marked(text.rows.size());
  for (const std::string& name : options.marked) is_marked[row_of(text, name, "mark")] = true;
  return is_marked;
}

void check_cells(const FigureContent& figure) {
  const std::size_t rows = figure.options.is_logo ? 1 : figure.rows.size();
  if (rows * figure.columns.size() <= kMostFigureCells) return;
  throw Error(ErrorKind::bad_input,
              "a figure of " + counted(rows, "row") + " and " +
                  counted(figure.columns.size(), "column") + " is too large",
              "choose some with {columns} and {rows}; a page shows larger alignments");
}

ColourScheme chosen_scheme(const AlignmentText& text, const FigureOptions& options) {
  const bool is_sure = !text.column_confidence.empty();
  const std::string standard = is_sure && !options.is_logo ? "faded" : "residues";
  ColourScheme scheme(options.colours.empty() ? standard : options.colours, text.type);
  if (options.is_logo && !scheme.colours_letters() && options.colours != "none") {
    throw Error(ErrorKind::usage, "the colours " + options.colours + " are not of letters alone",
                "choose others for a logo, such as {colours=residues}");
  }
  if (scheme.needs_confidence() && !is_sure && !options.is_logo) {
    throw Error(ErrorKind::usage,
                "the colours " + options.colours + " need the confidence, which is not known",
                "leave out {no-confidence}, or choose other colours");
  }
  return scheme;
}

std::vector<FigureTrack> known_tracks(const AlignmentText& text, const FigureOptions& options) {
  if (options.is_logo) return {FigureTrack::logo};
  std::vector<FigureTrack> tracks = options.above;
  if (text.column_confidence.empty()) std::erase(tracks, FigureTrack::confidence);
  return tracks;
}

}  // namespace

bool FigureContent::has(FigureTrack track) const {
  return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
}

std::vector<std::string> figure_track_names() {
  return {"conservation", "confidence", "gaps", "logo", "consensus", "structure"};
}

std::vector<FigureTrack> parse_figure_tracks(const std::string& text) {
  const std::vector<std::string> names = figure_track_names();
  std::vector<FigureTrack> tracks;
  if (text == "none") return tracks;
  for (const std::string_view part : split(text, ',')) {
    const auto at = std::find(names.begin(), names.end(), part);
    if (at == names.end()) {
      throw Error(ErrorKind::usage,
                  "a figure has no " + quote(std::string(part)) + " above its columns",
                  "use " + listed(names) + ", with commas between them, or none");
    }
    tracks.push_back(static_cast<FigureTrack>(at - names.begin()));
  }
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  return tracks;
}

std::string format_figure(const AlignmentText& text, const std::string& title,
                          const FigureOptions& options) {
  FigureContent figure{text,
                       options,
                       chosen_scheme(text, options),
                       column_counts(text),
                       chosen_rows(text, options),
                       marked_rows(text, options),
                       chosen_columns(text, options),
                       known_tracks(text, options)};
  if (options.is_logo) {
    figure.sizes.cell = 16;
    figure.sizes.logo = 100;
  }
  check_cells(figure);
  SvgCanvas svg;
  PdfCanvas pdf;
  FigureCanvas& canvas = options.is_pdf ? static_cast<FigureCanvas&>(pdf) : svg;
  return FigurePainter(figure, canvas).paint(title);
}

}  // namespace accord
