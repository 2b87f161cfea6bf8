// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "io/formats/alignment_text.hpp"
#include "io/formats/formats.hpp"

namespace accord {

/// How large the text of an alignment is.
struct OutputSize {
  std::size_t rows = 0;
  double columns = 0;
  double residues = 0;
  /// Unpacked, without markup and confidence; about, as line ends and what stands around the rows
  /// are left out.
  double bytes = 0;
};

/// The size of an alignment in a format.
OutputSize output_size(const AlignmentText& alignment, AlignmentFormat format);

/// The size that a family may get in a format with a letter for each gap: as wide as proteins
/// become that are simulated with 40 % identical residues in a pair. Families whose members are
/// more alike are narrower. Reference  within a third of the widths of 800, 20,000 and 1,000,000
/// sequences of 150 residues:
///         519, 3,779 and 21,000 columns.
OutputSize diverse_size(std::size_t sequences, double residues, double longest);

/// A text from which on a warning names what needs less, in bytes.
constexpr double kLargeText = 1024.0 * 1024.0 * 1024.0;

/// Whether a text is large, and nearly all of it gaps.
bool is_wide(const OutputSize& size);

/// "A3M has no columns for insertions", and how to get it, for an alignment that is wide.
std::string narrower_formats();

/// Says how wide an alignment is and about how large its file; a warning if it is wide. `more` is
/// what else can be tried.
void say_size(const AlignmentText& alignment, const std::string& path, AlignmentFormat format,
              const std::string& more = {});

}  // namespace accord
