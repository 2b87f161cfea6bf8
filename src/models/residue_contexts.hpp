// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "shared/layout.h"

namespace accord {

/// Classes of the residues of proteins by the letters around them, and how much more often aligned
/// residues have two classes than their letters alone let expect.
///
/// A residue in a helix, a loop or the core of a fold has other neighbours, and its class says what
/// a pair-HMM that sees one letter at a time cannot know (what hidden match classes are in
/// MUMMALS: Pei & Grishin 2006, Nucleic Acids Res 34:4364). A neural net with one hidden layer
/// gives the class; its arithmetic is in integers, so that all platforms agree:
///
///   a_k = bias_k + sum_o window[o][letter(i + o)][k],  o = -radius .. radius
///   h_k = a_k, not below -limit and not above it
///   s_c = class_bias_c + sum_k classes[c][k] h_k;  the class is the first c of the largest s_c
///
/// Reference  scripts/research/train_context.py finds the numbers; the file says on which families.
class ResidueContexts {
 public:
  /// A number for every two classes.
  using Table = std::array<std::array<double, ACCORD_CONTEXTS>, ACCORD_CONTEXTS>;

  /// Reads datasets/parameters/protein_context.json or another file like it.
  /// Throws  Error{bad_input} with `label` and the key: a list of the wrong length, a number out of
  ///         range, a table that is not symmetric, sums that could overflow 32 bits.
  static ResidueContexts parse(std::string_view text, const std::string& label);

  /// The same sequences with the class of every residue in the upper bits of its code.
  CodedSequences add_to(const CodedSequences& sequences) const;

  /// The natural logarithm of the factor that two classes give a match weight.
  double log_odds(std::size_t c, std::size_t d) const { return log_odds_[c][d]; }

  /// The natural logarithm of a factor of opening a gap. Those of four entries are multiplied: of
  /// the letter and of the context of the residue before the gap (side 0), and of the same of the
  /// residue behind it (side 1).
  /// Shapes  entry: a letter, or ACCORD_SYMBOLS + a class.
  double log_opening(int side, std::size_t entry) const {
    return log_openings_[static_cast<std::size_t>(side)][entry];
  }

 private:
  static constexpr std::size_t kLetters = 22;  // 20 residues, unknown, outside of the sequence

  /// Class of each residue of a sequence.
  void classify(std::span<const std::uint8_t> codes, std::span<std::uint8_t> classes) const;

  std::size_t radius_ = 0, hidden_ = 0;
  std::int32_t limit_ = 0;
  std::vector<std::int32_t> window_;   // [offset][letter][hidden]
  std::vector<std::int32_t> bias_;     // [hidden]
  std::vector<std::int32_t> classes_;  // [class][hidden]
  std::array<std::int32_t, ACCORD_CONTEXTS> class_bias_{};
  Table log_odds_{};
  std::array<std::array<double, ACCORD_ENTRIES>, 2> log_openings_{};
};

/// The contexts that are built in.
const ResidueContexts& protein_contexts();

/// The embedded file.
std::string_view protein_contexts_text();

}  // namespace accord
