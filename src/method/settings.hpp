// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "models/models.hpp"
#include "models/parameter_set.hpp"

namespace accord {

/// The origin of the guide tree.
enum class TreeMethod { upgma, neighbor_joining, file };

/// Which families are large: aligned as a backbone, to which the other sequences are added (see
/// backbone_size).
enum class LargeFamilies { automatic, never, always };

/// How a family is aligned.
enum class AlignMode {
  posterior,  ///< by posteriors of all pairs (the default)
  local,      ///< by local alignments of all pairs, as L-INS-i of MAFFT
  motifs      ///< the same with gaps in both sequences, as E-INS-i of MAFFT
};

/// "posterior", "local" or "motifs".
const char* to_string(AlignMode mode);
/// The mode of a word.
/// Throws  Error{usage} for any other word; `what` is what the user has given it for.
AlignMode align_mode(const std::string& word, const std::string& what);

/// Everything besides the sequences that determines an alignment.
struct AlignSettings {
  Parameters parameters;
  std::string parameter_set = {};     ///< what they are called
  std::string parameter_sha256 = {};  ///< of their file
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;    ///< Newick, for TreeMethod::file
  bool confidence = false;  ///< also compute the confidence
  LargeFamilies large = LargeFamilies::automatic;
  std::size_t backbone =
      0;  ///< sequences of the backbone of a large family; 0: as backbone_size has it
  AlignMode mode = AlignMode::posterior;
  /// Rounds of the refinement of the local modes, at most; after two accuracy does not rise.
  int local_rounds = 2;

  bool is_local() const { return mode != AlignMode::posterior; }
};

/// The options of the method that a user sets; the others have the defaults of the type of the
/// residues.
struct MethodOptions {
  std::optional<ParameterSet> parameters;  ///< else the built-in ones
  std::string parameters_file;             ///< where they were read; empty: built in
  std::optional<TreeMethod> tree;          ///< else as the mode has it
  std::string tree_file;                   ///< Newick, for TreeMethod::file
  std::optional<int> consistency;          ///< rounds of the transform
  std::optional<int> intermediates;        ///< sequences that the transform goes through; 0: all
  std::optional<int> refine;               ///< iterations
  LargeFamilies large = LargeFamilies::automatic;
  int backbone = 0;  ///< sequences of the backbone of a large family; 0: as backbone_size has it
  AlignMode mode = AlignMode::posterior;

  bool is_local() const { return mode != AlignMode::posterior; }
  /// Average linkage by default, and in the local modes neighbour joining.
  TreeMethod tree_method() const {
    return tree.value_or(is_local() ? TreeMethod::neighbor_joining : TreeMethod::upgma);
  }
};

/// The settings for residues of a type.
AlignSettings make_settings(const MethodOptions& choices, ResidueType type);

}  // namespace accord
