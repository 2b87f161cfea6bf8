// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "run/figure/colour_scheme.hpp"

namespace accord {

/// Writes a drawing as SVG 1.1 that Inkscape, Illustrator and browsers show alike: no style sheet,
/// one font family, colours as attributes, every letter of a row at an x of its own. Lengths are in
/// pixels; y grows downwards.
class SvgWriter {
 public:
  enum class Anchor { start, middle, end };

  /// Begins a group with an id, which programs for drawing show as the name of a layer.
  void begin_group(const std::string& id);
  void end_group();
  void rectangle(double x, double y, double width, double height, const Rgb& fill);
  /// A line of text with its baseline at y.
  void text(double x, double y, std::string_view text, double size, const Rgb& fill,
            Anchor anchor = Anchor::start);
  /// Letters of the monospaced font; letter k begins at x[k].
  void letters(const std::vector<double>& x, double y, std::string_view letters, double size,
               const Rgb& fill);
  /// A closed shape in the path language of SVG, in a box of 1 by 1, which is stretched over the
  /// rectangle. `label` names it for programs that read the figure aloud.
  void shape(std::string_view path, double x, double y, double width, double height,
             const Rgb& fill, std::string_view label);
  /// A line along a path, in pixels.
  void line(const std::string& path, const Rgb& stroke, double width = 1);

  /// The whole file. `title` is its title for programs that read it.
  std::string finish(double width, double height, const std::string& title) const;

 private:
  std::string body_;
};

/// A length as SVG has it: two decimals at most.
std::string svg_number(double value);

}  // namespace accord
