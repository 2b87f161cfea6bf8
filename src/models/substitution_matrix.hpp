// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/parameters.hpp"
#include "shared/layout.h"

namespace accord {

/// Substitution scores s of letters, and their scale lambda: aligned letters occur exp(lambda s)
/// times as often as by chance.
struct SubstitutionMatrix {
  using Scores = std::array<std::array<double, ACCORD_SYMBOLS>, ACCORD_SYMBOLS>;

  std::string name;  ///< file name without directories and suffix
  std::string text;  ///< text of the file
  ResidueKind residues = ResidueKind::protein;
  std::array<bool, ACCORD_SYMBOLS> has_scores{};  ///< by residue code (see encode_letter)
  Scores scores{};                                ///< symmetric
  double lambda = 0;  ///< natural logarithm of the odds, per unit of score
  /// Background of the letters from which the scale is computed, by residue code; 0 for all others.
  /// The sum is 1.
  std::array<double, ACCORD_SYMBOLS> background{};
  /// Whether implied_scale() found the background. Else the background is that of the amino acids
  /// (robinson_background) if all twenty occur, else an equal share for each letter.
  bool implies_background = true;

  /// exp(factor s) for two codes. For a code without scores, the mean over the letters that it may
  /// stand for, weighted by the background. 1 for a code that may stand for all letters or has no
  /// known letters.
  double weight(std::uint8_t a, std::uint8_t b, double factor) const;
};

/// A scale and its background.
struct MatrixScale {
  double lambda = 0;
  std::vector<double> background;  ///< empty if no background fits
};

/// The positive lambda with sum_ij p_i p_j exp(lambda s_ij) = 1 for the background p.
/// Shape   scores: as many rows and columns as the background.
/// Returns  0 if there is no such lambda: no score is positive, or their mean is not negative.
/// Reference  Karlin & Altschul 1990, PNAS 87:2264, equation 4.
double karlin_lambda(const std::vector<std::vector<double>>& scores,
                     const std::vector<double>& background);

/// The lambda and the background p that the scores imply: sum_j p_j exp(lambda s_ij) = 1 for every
/// letter i, so that p is also the background of the aligned pairs. The function searches lambda in
/// [near / 2, 2 near].
/// Returns  an empty background if every solution has negative numbers. This happens if rounded
///          scores have rows that depend on each other.
/// Reference  Yu, Wootton & Altschul 2003, PNAS 100:15688.
MatrixScale implied_scale(const std::vector<std::vector<double>>& scores, double near);

/// Background of the amino acids, in the order of their codes.
/// Reference  Robinson & Robinson 1991, PNAS 88:8880, with the numbers of BLAST.
const std::vector<double>& robinson_background();

/// Reads a matrix in NCBI's format: lines of `#`, a line with the letters of the columns, and for
/// each letter a line with its scores.
/// If all letters stand for nucleotides, the matrix is for nucleotides. Else the letters get the
/// codes of proteins, whatever they mean: the twenty amino acids, B, J and Z. X, `*` and, for
/// nucleotides, N stand for any letter; their scores are ignored. The scale is computed from the
/// bases, from the amino acids if all twenty occur, else from all letters.
/// `label` is the file name for messages.
/// Throws  Error{bad_input} with the line, if there is no matrix, a letter cannot have scores or
///         occurs twice, a line has the wrong number of scores, or the scores are not symmetric;
///         also if there is no lambda.
SubstitutionMatrix parse_substitution_matrix(std::string text, const std::string& label);

}  // namespace accord
