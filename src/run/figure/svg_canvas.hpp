// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/figure/figure_canvas.hpp"

namespace accord {

/// Writes a drawing as SVG 1.1 that Inkscape, Illustrator and browsers show alike: no style sheet,
/// one font family, colours as attributes, every letter of a row at an x of its own.
class SvgCanvas final : public FigureCanvas {
 public:
  void begin_group(const std::string& id) override;
  void end_group() override;
  void rectangle(double x, double y, double width, double height, const Rgb& fill) override;
  void text(double x, double y, std::string_view text, double size, const Rgb& fill,
            Anchor anchor) override;
  void letters(const std::vector<double>& x, double y, std::string_view letters, double size,
               const Rgb& fill) override;
  void shape(std::string_view path, double x, double y, double width, double height,
             const Rgb& fill, std::string_view label) override;
  void line(const std::string& path, const Rgb& stroke, double width) override;
  std::string finish(double width, double height, const std::string& title) const override;

 private:
  std::string body_;
};

}  // namespace accord
