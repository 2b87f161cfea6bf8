// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/parameters.hpp"
#include "shared/layout.h"

namespace accord {

/// Substitution scores s of letters, and their scale: two letters are exp(lambda s) times as
/// frequent in one column as by chance.
struct SubstitutionMatrix {
  using Scores = std::array<std::array<double, ACCORD_SYMBOLS>, ACCORD_SYMBOLS>;

  std::string name;  ///< of the file, without directories and suffix
  std::string text;  ///< of the file
  ResidueKind residues = ResidueKind::protein;
  std::array<bool, ACCORD_SYMBOLS> has_scores{};  ///< by residue code (see encode_letter)
  Scores scores{};                                ///< symmetric
  double lambda = 0;                              ///< nats a unit of score
  /// Of the letters that the scale rests on, by residue code; 0 for all others. The sum is 1.
  std::array<double, ACCORD_SYMBOLS> background{};
  /// Whether the matrix implies its background (see implied_scale); else it is that of amino acids.
  bool implies_background = true;

  /// exp(factor s) of two codes; the mean over what they may stand for, by the background, for a
  /// code without scores; 1 for a code that may stand for all letters, or of which nothing is
  /// known.
  double weight(std::uint8_t a, std::uint8_t b, double factor) const;
};

/// exp(x) as portable_exp has it; x beyond 690 on either side, where weights mean nothing, is 690.
double bounded_exp(double x);

/// A scale, and the background that it belongs to.
struct MatrixScale {
  double lambda = 0;
  std::vector<double> background;  ///< empty if there is none
};

/// The positive lambda of sum_ij p_i p_j exp(lambda s_ij) = 1 for a background p.
/// Shape   scores: as many rows and columns as the background.
/// Returns  0 if there is none: no score is positive, or their mean is not negative.
/// Reference  Karlin & Altschul 1990, PNAS 87:2264, equation 4.
double karlin_lambda(const std::vector<std::vector<double>>& scores,
                     const std::vector<double>& background);

/// The lambda and the background p that scores imply: sum_j p_j exp(lambda s_ij) = 1 for every
/// letter i, so that p is that of the pairs, too. Lambda is looked for from half to twice `near`.
/// Returns  no background if there is none without negative numbers, as where scores are rounded so
///         far that rows depend on each other.
/// Reference  Yu, Wootton & Altschul 2003, PNAS 100:15688.
MatrixScale implied_scale(const std::vector<std::vector<double>>& scores, double near);

/// Background of the amino acids, in the order of their codes.
/// Reference  Robinson & Robinson 1991, PNAS 88:8880, as BLAST has them.
const std::vector<double>& robinson_background();

/// Reads a matrix in NCBI's format: lines of `#`, a line with the letters of the columns, and for
/// each letter a line with its scores. Letters of nucleotides alone are nucleotides; all others
/// have the codes of proteins, whatever they mean: the twenty letters of amino acids, B, J and Z.
/// X, `*` and, of nucleotides, N are letters of which nothing is known; their scores are not used.
/// The scale rests on the bases, on the amino acids if all twenty are there, else on all letters.
/// `label` is the file, for messages.
/// Throws  Error{bad_input} with the line: no matrix, a letter that cannot have scores or is there
///         twice, a number of scores that does not fit, scores that are not symmetric; or if there
///         is no lambda.
SubstitutionMatrix parse_substitution_matrix(std::string text, const std::string& label);

}  // namespace accord
