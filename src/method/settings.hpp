// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "io/family_reader.hpp"
#include "method/effort.hpp"
#include "models/matrix_parameters.hpp"
#include "models/models.hpp"
#include "models/parameter_set.hpp"

namespace accord {

/// The origin of the guide tree.
enum class TreeMethod { upgma, neighbor_joining, file };

/// Which families are large: aligned as a backbone, to which the other sequences are added (see
/// backbone_size).
enum class LargeFamilies { automatic, never, always };

/// "upgma", "nj" or "file".
const char* to_string(TreeMethod tree);
/// "auto", "never" or "always".
const char* to_string(LargeFamilies large);
/// Converts a word to LargeFamilies.
/// Throws  Error{usage} for any other word; `what` names the option of the word.
LargeFamilies large_families(const std::string& word, const std::string& what);

/// How a family is aligned.
enum class AlignMode {
  posterior,  ///< by posteriors of all pairs (the default)
  local,      ///< by local alignments of all pairs, as L-INS-i of MAFFT
  motifs      ///< the same with gaps in both sequences, as E-INS-i of MAFFT
};

/// "posterior", "local" or "motifs".
const char* to_string(AlignMode mode);
/// Converts a word to a mode.
/// Throws  Error{usage} for any other word; `what` names the option of the word.
AlignMode align_mode(const std::string& word, const std::string& what);

/// Everything besides the sequences that determines an alignment.
struct AlignSettings {
  Parameters parameters;
  std::string parameter_set = {};     ///< name of the parameters
  std::string parameter_sha256 = {};  ///< of the parameter file
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;    ///< Newick, for TreeMethod::file
  bool prunes = false;      ///< leave out leaves of that tree that are not sequences
  bool confidence = false;  ///< also compute the confidence
  LargeFamilies large = LargeFamilies::automatic;
  std::size_t backbone =
      0;  ///< sequences of the backbone of a large family; 0: as backbone_size has it
  Effort effort = Effort::normal;
  LargeEffort large_effort = {};  ///< the numbers of `effort`, with the values that the user set
  /// The number of nearest sequences of each sequence through which its pairs may go in the
  /// consistency transform; 0: the same intermediates for all pairs.
  std::size_t nearest_intermediates = 0;
  AlignMode mode = AlignMode::posterior;
  /// Largest number of rounds of refinement in the local modes. More than two do not raise
  /// accuracy.
  int local_rounds = 2;

  bool is_local() const { return mode != AlignMode::posterior; }
};

/// The options of the method that a user may set. The others have the defaults of the residue type.
struct MethodOptions {
  std::optional<ParameterSet> parameters;            ///< null: the built-in ones
  std::string parameters_file;                       ///< their file; empty if built in
  std::shared_ptr<const SubstitutionMatrix> matrix;  ///< null: the built-in scores
  std::string matrix_file;                           ///< the file of the matrix
  std::optional<GapCosts> gap_costs;  ///< in units of the matrix; null: those of the parameter set
  std::optional<TreeMethod> tree;     ///< null: the default of the mode
  std::string tree_file;              ///< Newick, for TreeMethod::file
  bool prunes = false;                ///< leave out leaves of that tree that are not sequences
  std::optional<int> consistency;     ///< rounds of the transform
  std::optional<int> intermediates;   ///< number of intermediates; 0: all
  std::optional<int> refine;          ///< iterations
  LargeFamilies large = LargeFamilies::automatic;
  int backbone = 0;  ///< 0: see backbone_size
  Effort effort = Effort::normal;
  AlignMode mode = AlignMode::posterior;

  bool is_local() const { return mode != AlignMode::posterior; }
  /// The tree that was set; by default average linkage, and neighbour joining in the local modes.
  TreeMethod tree_method() const {
    return tree.value_or(is_local() ? TreeMethod::neighbor_joining : TreeMethod::upgma);
  }
};

/// Makes the settings for a residue type.
/// Throws  as with_matrix; Error{usage} for gap costs without a matrix, and for a matrix in a local
///         mode.
AlignSettings make_settings(const MethodOptions& method, ResidueType type);

/// Whether the parameters are the built-in ones for a residue type.
bool has_built_in_parameters(const AlignSettings& settings, ResidueType type);

/// Calls `visit(name, value)` for everything besides the input that influences an alignment: how
/// sequences are read, and how they are aligned. Values are texts, numbers and booleans. Reports,
/// their checksum and the record of a batch contain these values.
template <class Visit>
void visit_settings(const FamilySource& source, const AlignSettings& settings, ResidueType type,
                    const Visit& visit) {
  const Parameters& parameters = settings.parameters;
  const ConsistencyParams& consistency = parameters.consistency;
  const ReadOptions& reading = source.reading;
  visit("type", to_string(type));
  visit("mode", to_string(settings.mode));
  visit("parameter_set", settings.parameter_set);
  visit("parameter_set_sha256", settings.parameter_sha256);
  visit("tree", to_string(settings.tree));
  visit("prune", settings.prunes);
  visit("large", to_string(settings.large));
  visit("backbone", settings.backbone);
  visit("effort", to_string(settings.effort));
  visit("cutoff", parameters.cutoff);
  visit("consistency_rounds_small", consistency.rounds);
  visit("consistency_rounds_large", consistency.rounds_of_large);
  visit("consistency_intermediates", consistency.intermediates);
  visit("consistency_cutoff", consistency.cutoff);
  visit("refine_iterations",
        settings.is_local() ? settings.local_rounds : parameters.refine_iterations);
  visit("input_format", reading.format ? format_name(*reading.format) : "auto");
  visit("lenient", reading.lenient);
  visit("gaps", reading.refuse_gaps ? "error" : "remove");
  visit("adjust_direction", source.adjust_direction);
}

}  // namespace accord
