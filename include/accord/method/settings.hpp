// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "accord/core/models.hpp"
#include "accord/core/parameter_set.hpp"

namespace accord {

/// Where the guide tree comes from.
enum class TreeMethod { upgma, neighbor_joining, file };

/// Which families are large: aligned as a core, to which the other sequences are added (see
/// core_size).
enum class LargeFamilies { automatic, never, always };

/// Everything that decides an alignment beside the sequences.
struct AlignSettings {
  Parameters parameters;
  std::string parameter_set = {};     ///< what they are called
  std::string parameter_sha256 = {};  ///< of their file
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;    ///< Newick, for TreeMethod::file
  bool confidence = false;  ///< also compute the confidence
  LargeFamilies large = LargeFamilies::automatic;
  std::size_t core = 0;  ///< sequences of the core of a large family; 0: as core_size has it
};

/// What a user chooses of the method; what is not set is as the type of the residues has it.
struct MethodChoices {
  std::optional<ParameterSet> parameters;  ///< else the built-in ones
  std::string parameters_file;             ///< where they were read; empty: built in
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;             ///< Newick, for TreeMethod::file
  std::optional<int> consistency;    ///< rounds of the transform
  std::optional<int> intermediates;  ///< sequences that the transform goes through; 0: all
  std::optional<int> refine;         ///< iterations
  LargeFamilies large = LargeFamilies::automatic;
  int core = 0;  ///< sequences of the core of a large family; 0: as core_size has it
};

/// The settings for residues of a type.
AlignSettings make_settings(const MethodChoices& choices, ResidueType type);

}  // namespace accord
