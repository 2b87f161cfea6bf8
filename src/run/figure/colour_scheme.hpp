// SPDX-License-Identifier: Apache-2.0
// The colours of residues in figures; the page of an alignment has the same, from the same table.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/alphabet.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The table that figures and the page draw by, JSON: the colours of residues, and the outlines of
/// letters (src/run/figure/drawing.json).
std::string_view drawing_table_text();

/// A colour as red, green and blue, 0 to 255.
using Rgb = std::array<std::uint8_t, 3>;

/// A colour as in XML: "#6f9ce8".
std::string hex_text(const Rgb& colour);

/// Black or white, whichever has the larger contrast with a colour (WCAG 2).
Rgb ink_on(const Rgb& colour);

/// How often each letter stands in a column. Small letters count as capitals.
struct ColumnCounts {
  std::array<std::uint32_t, 27> seen = {};  ///< A to Z, and others
  std::uint32_t residues = 0;
  std::uint32_t rows = 0;  ///< of the alignment

  std::uint32_t of(char letter) const { return seen[place(letter)]; }
  /// The most frequent letter, the first in the alphabet of several; 0 if there is no letter.
  char most_frequent() const;
  /// The share of the rows that have the most frequent letter, gaps counted in.
  double conservation() const;

  /// The place of a letter in `seen`.
  static std::size_t place(char letter);
};

/// Of each column of an alignment.
std::vector<ColumnCounts> column_counts(const AlignmentText& text);

/// A row of a legend: a colour, and what has it.
struct LegendEntry {
  Rgb colour;
  std::string meaning;
};

/// A way to colour residues. All colours are on white.
class ColourScheme {
 public:
  /// The scheme of a name for residues of a type.
  /// Throws  Error{usage} if there is no such scheme, or if it is not for this type.
  ColourScheme(const std::string& name, ResidueType type);
  ~ColourScheme();
  ColourScheme(ColourScheme&&) noexcept;
  ColourScheme& operator=(ColourScheme&&) noexcept;

  /// The colour of a residue; none if it has none. `sure` is its confidence; NaN: unknown.
  std::optional<Rgb> colour(char letter, const ColumnCounts& column, double sure) const;
  /// The colour of a letter of a logo; dark grey where the scheme gives a letter alone no colour.
  Rgb letter_colour(char letter) const;
  /// Whether letters have colours of their own, whatever stands beside them.
  bool colours_letters() const;
  /// Whether the colours need the confidence.
  bool needs_confidence() const;

  const std::string& label() const;
  /// A sentence about the scheme; empty if its legend says all.
  const std::string& note() const;
  std::vector<LegendEntry> legend() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The names of all schemes, in the order of the table.
std::vector<std::string> colour_scheme_names();

}  // namespace accord
