// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "io/formats/alignment_text.hpp"
#include "io/formats/formats.hpp"

namespace accord {

/// The size of the text of an alignment.
struct OutputSize {
  std::size_t rows = 0;
  double columns = 0;
  double residues = 0;
  /// Approximate bytes of the unpacked text, without markup, confidence, line ends, and text around
  /// the rows.
  double bytes = 0;
};

/// The size of an alignment in a format.
OutputSize output_size(const AlignmentText& alignment, AlignmentFormat format);

/// Estimates the size of the alignment of a family, in a format that writes a letter for each gap.
/// The width is that of simulated proteins with 40 % identical residues in a pair; families of more
/// similar sequences become narrower.
/// `residues`: number of residues of all sequences. `longest`: length of the longest sequence.
/// Reference  widths of 800, 20,000 and 1,000,000 sequences of 150 residues are 519, 3,779 and
///         21,000 columns; the estimate differs from each by less than a third.
OutputSize diverse_size(std::size_t sequences, double residues, double longest);

/// Texts of at least this number of bytes are large.
constexpr double kLargeText = 1024.0 * 1024.0 * 1024.0;

/// Whether a text is large (see kLargeText) and more than 90 % of its cells are gaps.
bool is_wide(const OutputSize& size);

/// Returns the hint for a wide alignment: A3M, a format without columns for insertions, and the
/// option that chooses A3M.
std::string narrower_formats();

/// Logs the width of an alignment and the approximate size of its file, at -v. Warns if the
/// alignment is wide; `more` is a further hint, or empty. `path`: the file; empty or "-" is
/// standard output.
void say_size(const AlignmentText& alignment, const std::string& path, AlignmentFormat format,
              const std::string& more = {});

}  // namespace accord
