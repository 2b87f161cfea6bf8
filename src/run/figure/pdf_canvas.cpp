// SPDX-License-Identifier: Apache-2.0
#include "run/figure/pdf_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

/// A colour as operands.
std::string colour_operands(const Rgb& colour) {
  return formatted("%.3f %.3f %.3f ", colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0);
}

/// Numbers as operands.
std::string operands(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += figure_number(number) + " ";
  return text;
}

/// A path of SVG in the operators of PDF, which follow their operands.
std::string pdf_path(std::string_view path) {
  std::string text, numbers;
  char command = '\0';
  const auto end_command = [&] {
    if (command == '\0') return;
    const char operation = command == 'Z' ? 'h' : static_cast<char>(command - 'A' + 'a');
    text += numbers + " " + operation + "\n";
    numbers.clear();
  };
  for (const char c : path) {
    if (c >= 'A' && c <= 'Z') {
      end_command();
      command = c;
    } else {
      numbers += c;
    }
  }
  end_command();
  return text;
}

/// A string of PDF.
std::string pdf_string(std::string_view text) {
  std::string safe = "(";
  for (const char c : text) {
    if (c == '(' || c == ')' || c == '\\') safe += '\\';
    safe += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return safe + ")";
}

/// The character that begins at `at`, which moves behind it. The text is UTF-8.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  std::uint32_t code = first >= 0xf0   ? first & 0x07u
                       : first >= 0xe0 ? first & 0x0fu
                                       : first & 0x1fu;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) {
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  }
  return code;
}

}  // namespace

std::string PdfCanvas::encoded(std::string_view text) {
  const std::string whole = as_utf8(text);
  std::string bytes;
  for (std::size_t at = 0; at < whole.size();) {
    const std::uint32_t code = next_character(whole, at);
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) {
      bytes += static_cast<char>(code);
    } else if (code == 0x2026) {
      bytes += '\x85';  // the ellipsis in WinAnsiEncoding
    } else {
      bytes += '?';
      lacks_characters_ = true;
    }
  }
  return bytes;
}

void PdfCanvas::begin_group(const std::string&) { body_ += "q\n"; }
void PdfCanvas::end_group() { body_ += "Q\n"; }

void PdfCanvas::rectangle(double x, double y, double width, double height, const Rgb& fill) {
  body_ += colour_operands(fill) + "rg " + operands({x, y, width, height}) + "re f\n";
}

void PdfCanvas::text(double x, double y, std::string_view text, double size, const Rgb& fill,
                     Anchor anchor) {
  const std::string shown = encoded(text);
  const double width = 0.6 * size * static_cast<double>(shown.size());
  const double left = anchor == Anchor::start    ? x
                      : anchor == Anchor::middle ? x - width / 2
                                                 : x - width;
  body_ += "BT " + colour_operands(fill) + "rg /F " + figure_number(size) + " Tf 1 0 0 -1 " +
           operands({left, y}) + "Tm " + pdf_string(shown) + " Tj ET\n";
}

void PdfCanvas::letters(const std::vector<double>& x, double y, std::string_view letters,
                        double size, const Rgb& fill) {
  if (letters.empty()) return;
  body_ += "BT " + colour_operands(fill) + "rg /F " + figure_number(size) + " Tf\n";
  for (std::size_t k = 0; k < x.size(); ++k) {
    body_ += "1 0 0 -1 " + operands({x[k], y}) + "Tm " + pdf_string(letters.substr(k, 1)) + " Tj\n";
  }
  body_ += "ET\n";
}

void PdfCanvas::shape(std::string_view path, double x, double y, double width, double height,
                      const Rgb& fill, std::string_view) {
  body_ += "q " + colour_operands(fill) + "rg " + formatted("%.4f 0 0 %.4f ", width, height) +
           operands({x, y}) + "cm\n" + pdf_path(path) + "f* Q\n";
}

void PdfCanvas::line(const std::string& path, const Rgb& stroke, double width) {
  body_ += colour_operands(stroke) + "RG " + figure_number(width) + " w\n" + pdf_path(path) + "S\n";
}

std::string PdfCanvas::finish(double width, double height, const std::string& title) const {
  if (lacks_characters_) {
    log_warning("names have characters that the font of the PDF lacks, which are shown as ?",
                "-o FILE.svg has them");
  }
  constexpr double kPointsOfPixel = 0.75, kLargestPage = 14400;  // of PDF 1.6, in its units
  const double unit =
      std::max(1.0, std::ceil(std::max(width, height) * kPointsOfPixel / kLargestPage));
  const double scale = kPointsOfPixel / unit;
  const std::string content = formatted("%.6f 0 0 %.6f 0 ", scale, -scale) +
                              figure_number(height * scale) + " cm\n" + body_;
  std::string safe_title;
  for (const char c : title) safe_title += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " + figure_number(width * scale) + " " +
          figure_number(height * scale) + "] /UserUnit " + figure_number(unit) +
          " /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>",
      "<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content + "\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
      "<< /Title " + pdf_string(safe_title) + " >>"};
  std::string file = "%PDF-1.6\n%\xc3\xa4\xc3\xb6\n";  // bytes that say that it is binary
  std::string table = "xref\n0 " + std::to_string(objects.size() + 1) + "\n0000000000 65535 f \n";
  for (std::size_t k = 0; k < objects.size(); ++k) {
    table += formatted("%010zu 00000 n \n", file.size());
    file += std::to_string(k + 1) + " 0 obj\n" + objects[k] + "\nendobj\n";
  }
  const std::size_t start = file.size();
  return file + table + "trailer\n<< /Size " + std::to_string(objects.size() + 1) +
         " /Root 1 0 R /Info 6 0 R >>\nstartxref\n" + std::to_string(start) + "\n%%EOF\n";
}

}  // namespace accord
