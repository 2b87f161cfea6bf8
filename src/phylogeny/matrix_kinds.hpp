// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phylogeny/model.hpp"

namespace accord {

/// A matrix of substitution: its names, states, frequencies and parameters.
struct MatrixKind {
  std::string name;                  ///< upper case, as all names here
  std::vector<std::string> aliases;  ///< the names that IQ-TREE, RAxML and PhyML have for it
  StateKind states;
  FrequencySource frequencies;
  std::vector<ModelParameter> parameters;
  /// For nucleotides, a character for each of the rates of AC, AG, AT, CG, CT and GT: the number of
  /// the parameter with the rate, from 1, or `.` for the rate 1. Empty for other states.
  std::string exchanges;
};

/// The matrix of a name or an alias in upper case; null if there is none.
const MatrixKind* find_matrix(std::string_view name);

/// Translates the name of a model of RAxML 8 to the form of parse_model(): GTRGAMMA becomes GTR+G4,
/// PROTGAMMAILGF becomes LG+I+G4+F, and ASC_GTRGAMMA becomes GTR+G4+ASC. `name` is in upper case.
/// Every other name stays.
std::string without_raxml_words(const std::string& name);

}  // namespace accord
