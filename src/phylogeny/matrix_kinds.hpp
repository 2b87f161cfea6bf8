// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phylogeny/model.hpp"

namespace accord {

/// A matrix of substitution: its names, and what it has.
struct MatrixKind {
  std::string name;                  ///< upper case, as all names here
  std::vector<std::string> aliases;  ///< the names that IQ-TREE, RAxML and PhyML have for it
  StateKind states;
  FrequencySource frequencies;
  std::vector<ModelParameter> parameters;
  /// Of nucleotides the rates of AC, AG, AT, CG, CT and GT: the number of a parameter, from 1 on,
  /// or `.`, which is 1.
  std::string exchanges;
};

/// All matrices that a model can have. Where a name means different things to different programs
/// (TIM2 has equal frequencies in RAxML-NG alone) it is that of IQ-TREE.
/// Reference  Posada 2008, Mol Biol Evol 25:1253 (the reversible models of nucleotides).
const std::vector<MatrixKind>& matrix_kinds();

/// The matrix of a name or an alias in upper case; null if there is none.
const MatrixKind* find_matrix(std::string_view name);

/// A model of RAxML 8 in the words of parse_model: GTRGAMMA is GTR+G4, PROTGAMMAILGF is
/// LG+I+G4+F, ASC_GTRGAMMA is GTR+G4+ASC. Every other text, in upper case, stays.
std::string without_raxml_words(const std::string& name);

}  // namespace accord
