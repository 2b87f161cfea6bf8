// SPDX-License-Identifier: Apache-2.0
#include "run/estimate/output_size.hpp"

#include <cmath>

#include "base/log.hpp"
#include "base/text.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

/// "1000000 rows of 21000 columns, 99.3 % gaps".
std::string shape_of(const OutputSize& size) {
  const double cells = static_cast<double>(size.rows) * size.columns;
  return formatted("%zu rows of %.0f columns, %.1f %% gaps", size.rows, size.columns,
                   cells > 0 ? 100 * (1 - size.residues / cells) : 0.0);
}

}  // namespace

OutputSize output_size(const AlignmentText& alignment, AlignmentFormat format) {
  const GappedRows& rows = alignment.rows;
  OutputSize size{rows.size(), static_cast<double>(alignment.columns),
                  static_cast<double>(rows.residue_count()), 0};
  for (const std::string& header : alignment.headers) {
    size.bytes += static_cast<double>(header.size());
  }
  const auto count = static_cast<double>(size.rows);
  if (format != AlignmentFormat::a3m) {
    size.bytes += count * size.columns;
  } else if (!rows.empty()) {
    // A letter for each residue, and a gap for each match column: most residues are insertions.
    size.bytes += size.residues + count * static_cast<double>(rows.residues(0).size());
  }
  return size;
}

OutputSize diverse_size(std::size_t sequences, double residues, double longest) {
  // Insertions at the same place share columns, so that the number of columns grows more slowly
  // than that of the sequences: with a power below 1.
  constexpr double kShare = 0.056, kPower = 0.577;
  const auto n = static_cast<double>(sequences);
  const double mean = n > 0 ? residues / n : 0;
  const double columns = longest + kShare * mean * std::pow(n, kPower);
  return {sequences, columns, residues, n * columns};
}

bool is_wide(const OutputSize& size) {
  constexpr double kGapsPerResidue = 10;
  const double cells = static_cast<double>(size.rows) * size.columns;
  return size.bytes >= kLargeText && cells > kGapsPerResidue * size.residues;
}

std::string narrower_formats() {
  return "in A3M ({format=a3m}) insertions cost their letters alone: its columns are those of the "
         "first sequence";
}

void say_size(const AlignmentText& alignment, const std::string& path, AlignmentFormat format,
              const std::string& more) {
  const OutputSize size = output_size(alignment, format);
  const std::string text = shape_of(size) + ": about " + format_bytes(size.bytes) + " as " +
                           std::string(format_name(format));
  log_verbose("output       " + (path.empty() || path == "-" ? "stdout" : path) + ": " + text);
  if (!is_wide(size)) return;
  log_warning("the alignment is wide: " + text,
              narrower_formats() + (more.empty() ? "" : "; " + more));
}

}  // namespace accord
