// SPDX-License-Identifier: Apache-2.0
#include "run/figure/svg_canvas.hpp"

#include <cmath>

#include "base/text.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

/// The first family is on most computers; all are monospaced with letters 0.6 of the size wide.
constexpr std::string_view kFontFamily = "Courier New, Courier, Liberation Mono, monospace";

/// A text as the content of an element or an attribute. XML has no control characters.
std::string escaped(std::string_view text) {
  std::string safe = as_utf8(text);
  for (char& c : safe) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return escaped_markup(safe);
}

std::string attribute(const char* name, double value) {
  return " " + std::string(name) + "=\"" + figure_number(value) + "\"";
}

}  // namespace

std::string figure_number(double value) {
  std::string text = formatted("%.2f", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

void SvgCanvas::begin_group(const std::string& id) { body_ += "<g id=\"" + escaped(id) + "\">\n"; }

void SvgCanvas::end_group() { body_ += "</g>\n"; }

void SvgCanvas::rectangle(double x, double y, double width, double height, const Rgb& fill) {
  body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
           attribute("height", height) + " fill=\"" + hex_text(fill) + "\"/>\n";
}

void SvgCanvas::text(double x, double y, std::string_view text, double size, const Rgb& fill,
                     Anchor anchor) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) +
           " fill=\"" + hex_text(fill) + "\"";
  if (anchor != Anchor::start) {
    body_ += std::string(" text-anchor=\"") + (anchor == Anchor::end ? "end" : "middle") + "\"";
  }
  body_ += ">" + escaped(text) + "</text>\n";
}

void SvgCanvas::letters(const std::vector<double>& x, double y, std::string_view letters,
                        double size, const Rgb& fill) {
  if (letters.empty()) return;
  body_ += "<text x=\"";
  for (std::size_t k = 0; k < x.size(); ++k) body_ += (k > 0 ? " " : "") + figure_number(x[k]);
  body_ += "\"" + attribute("y", y) + attribute("font-size", size) + " fill=\"" + hex_text(fill) +
           "\">" + escaped(letters) + "</text>\n";
}

void SvgCanvas::shape(std::string_view path, double x, double y, double width, double height,
                      const Rgb& fill, std::string_view label) {
  body_ += "<path aria-label=\"" + escaped(label) + "\" transform=\"translate(" + figure_number(x) +
           " " + figure_number(y) + ") scale(" + formatted("%.4f %.4f", width, height) +
           ")\" fill=\"" + hex_text(fill) + "\" fill-rule=\"evenodd\" d=\"" + std::string(path) +
           "\"/>\n";
}

void SvgCanvas::line(const std::string& path, const Rgb& stroke, double width) {
  body_ += "<path fill=\"none\" stroke=\"" + hex_text(stroke) + "\"" +
           attribute("stroke-width", width) + " d=\"" + path + "\"/>\n";
}

std::string SvgCanvas::finish(double width, double height, const std::string& title) const {
  const std::string w = figure_number(std::ceil(width)), h = figure_number(std::ceil(height));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" +
         w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\" font-family=\"" +
         std::string(kFontFamily) + "\">\n<title>" + escaped(title) + "</title>\n<rect width=\"" +
         w + "\" height=\"" + h + "\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
}

}  // namespace accord
