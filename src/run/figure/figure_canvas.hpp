// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "run/figure/colour_scheme.hpp"

namespace accord {

/// What a figure is drawn on: a file of SVG or PDF. Lengths are in pixels; y grows downwards. All
/// text is in one monospaced font, whose letters are 0.6 of their size wide. Paths have the
/// commands M, L, C and Z of SVG.
class FigureCanvas {
 public:
  enum class Anchor { start, middle, end };

  virtual ~FigureCanvas() = default;

  /// Begins a group with an id, which programs for drawing show as the name of a layer.
  virtual void begin_group(const std::string& id) = 0;
  virtual void end_group() = 0;
  virtual void rectangle(double x, double y, double width, double height, const Rgb& fill) = 0;
  /// A line of text with its baseline at y.
  virtual void text(double x, double y, std::string_view text, double size, const Rgb& fill,
                    Anchor anchor = Anchor::start) = 0;
  /// Letters, of which letter k begins at x[k].
  virtual void letters(const std::vector<double>& x, double y, std::string_view letters,
                       double size, const Rgb& fill) = 0;
  /// A closed shape in a box of 1 by 1, which is stretched over the rectangle. `label` names it for
  /// programs that read the figure aloud.
  virtual void shape(std::string_view path, double x, double y, double width, double height,
                     const Rgb& fill, std::string_view label) = 0;
  /// A line along a path.
  virtual void line(const std::string& path, const Rgb& stroke, double width = 1) = 0;

  /// The whole file. `title` is its title for programs that read it.
  virtual std::string finish(double width, double height, const std::string& title) const = 0;
};

/// A length as figures have it: two decimals at most.
std::string figure_number(double value);

}  // namespace accord
