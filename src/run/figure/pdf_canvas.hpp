// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/figure/figure_canvas.hpp"

namespace accord {

/// Writes a drawing as PDF 1.6, one page of its size, with the standard font Courier, which every
/// program that reads PDF has. A character that this font lacks is `?`, with a warning.
class PdfCanvas final : public FigureCanvas {
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
  /// A text in the encoding of the font.
  std::string encoded(std::string_view text);

  std::string body_;
  bool lacks_characters_ = false;
};

}  // namespace accord
