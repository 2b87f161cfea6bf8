// SPDX-License-Identifier: Apache-2.0
// Sequence logos: the information content of columns.
#pragma once
#include <string_view>
#include <vector>

#include "run/figure/colour_scheme.hpp"

namespace accord {

/// A letter of a column of a logo.
struct LogoLetter {
  char letter;
  double bits;  ///< its height: its share of the residues times the information of the column
};

/// The letters of a column, from the lowest to the highest, the most frequent on top. Of the
/// residues only canonical ones count; of nucleotides U is T, in RNA T is U.
/// The information content is log2 s - H - e(n): s canonical residues of the type, the entropy H of
/// the n residues of the column, and the correction for small samples e(n) = (s - 1) / (2 n ln 2);
/// at least 0.
/// Reference  Schneider, Stormo, Gold & Ehrenfeucht 1986, J Mol Biol 188:415.
std::vector<LogoLetter> logo_column(const ColumnCounts& column, ResidueType type);

/// The largest information of a column, log2 s, in bits.
double most_logo_bits(ResidueType type);

/// The outline of a capital letter of a canonical residue, in the path language of SVG, in a box of
/// 1 by 1 that it fills from side to side.
std::string_view letter_outline(char letter);

}  // namespace accord
