// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "run/figure/figure_content.hpp"

namespace accord {
namespace {

/// What a track is, for the legend; empty if its name says all.
std::string track_meaning(FigureTrack track) {
  switch (track) {
    case FigureTrack::conservation:
      return "Conservation: the share of the most frequent residue, gaps counted in.";
    case FigureTrack::confidence:
      return "Confidence: the mean probability that two residues of the column are aligned.";
    case FigureTrack::gaps:
      return "Gaps: the share of the rows with a gap.";
    case FigureTrack::logo:
      return "Logo: information in bits, corrected for small samples (Schneider et al. 1986); "
             "letters as wide as the share of residues.";
    case FigureTrack::structure:
      return "Structure: waves are helices, arrows are strands.";
    case FigureTrack::consensus:
      return "";
  }
  return "";
}

/// A text in lines of at most so many letters, broken at blanks.
std::vector<std::string> broken(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

bool shows_structure(const FigureContent& figure) {
  for (const std::size_t r : figure.rows) {
    if (!structure_line(figure.text, figure.text.names[r]).empty()) return true;
  }
  return !structure_line(figure.text, "").empty();
}

}  // namespace

double draw_legend(FigureCanvas& canvas, const FigureContent& figure, double x, double y,
                   double width) {
  constexpr double kLine = 14, kSize = 10, kSwatch = 10;
  const double letter = 0.6 * kSize;
  const double right = x + width;
  double at = x, baseline = y + kLine;
  canvas.begin_group("legend");
  const auto take_text = [&](const std::string& text) {
    for (const std::string& line : broken(text, static_cast<std::size_t>(width / letter))) {
      canvas.text(x, baseline, line, kSize, kFigureInk);
      baseline += kLine;
    }
  };
  const std::string head = "Colours: " + figure.scheme.label();
  canvas.text(x, baseline, head, kSize, kFigureInk);
  at += static_cast<double>(head.size() + 2) * letter;
  for (const LegendEntry& entry : figure.scheme.legend()) {
    const double need = kSwatch + 4 + static_cast<double>(entry.meaning.size() + 2) * letter;
    if (at + need > right && at > x) {
      at = x;
      baseline += kLine;
    }
    // The letters of a logo have the colours at their full strength.
    const Rgb colour =
        figure.options.is_logo ? figure.scheme.letter_colour(entry.meaning[0]) : entry.colour;
    canvas.rectangle(at, baseline - kSwatch + 2, kSwatch, kSwatch, colour);
    canvas.text(at + kSwatch + 4, baseline, entry.meaning, kSize, kFigureInk);
    at += need;
  }
  baseline += kLine;
  if (!figure.options.marked.empty()) {
    canvas.rectangle(x, baseline - kSwatch + 2, 3, kSwatch, kFigureMark);
    canvas.text(x + kSwatch, baseline, "marked rows", kSize, kFigureMark);
    baseline += kLine;
  }
  if (!figure.scheme.note().empty()) take_text(figure.scheme.note());
  for (const FigureTrack track : figure.tracks) {
    if (track == FigureTrack::structure && !shows_structure(figure)) continue;
    if (const std::string meaning = track_meaning(track); !meaning.empty()) take_text(meaning);
  }
  canvas.end_group();
  return baseline - y;
}

}  // namespace accord
