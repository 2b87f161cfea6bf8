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

/// Classes of protein residues by the letters around them. For each two classes, a factor says how
/// much more often than by chance residues of these classes are aligned, given their letters.
/// A residue in a helix, a loop or the core of a fold has other neighbours, so its class adds
/// information that a pair-HMM cannot get from one letter at a time (like the hidden match classes
/// of MUMMALS: Pei & Grishin 2006, Nucleic Acids Res 34:4364). A neural net with one hidden layer
/// computes the class, in integers, so that all platforms agree:
///
///   a_k = bias_k + sum_o window[o][letter(i + o)][k],  o = -radius .. radius
///   h_k = a_k, clamped to [-limit, limit]
///   s_c = class_bias_c + sum_k classes[c][k] h_k;  the class is the first c of the largest s_c
///
/// Reference  docs/development/tuning.md says how the numbers are trained. The parameter file names
///            the training families.
class ResidueContexts {
 public:
  /// A number for every two classes.
  using Table = std::array<std::array<double, ACCORD_CONTEXTS>, ACCORD_CONTEXTS>;

  /// Reads datasets/parameters/protein_context.json or another file of this format.
  /// Throws  Error{bad_input} with `label` and the key, if a list has the wrong length, a number is
  ///         out of range, a table is not symmetric, or sums could overflow 32 bits.
  static ResidueContexts parse(std::string_view text, const std::string& label);

  /// Returns the sequences with the class of each residue added to its code: letter code +
  /// ACCORD_SYMBOLS * class. `sequences` are proteins, as letter codes without classes.
  CodedSequences add_to(const CodedSequences& sequences) const;

  /// The natural logarithm of the factor that classes c and d contribute to a match weight.
  double log_odds(std::size_t c, std::size_t d) const { return log_odds_[c][d]; }

  /// The natural logarithm of one factor of opening a gap. Four factors are multiplied: the letter
  /// and the class of the residue before the gap (side 0), and of the residue behind it (side 1).
  /// Shape   `side` is 0 or 1; `entry` is a letter code, or ACCORD_SYMBOLS + a class.
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

/// The built-in contexts.
const ResidueContexts& protein_contexts();

/// The text of the embedded file datasets/parameters/protein_context.json.
std::string_view protein_contexts_text();

}  // namespace accord
