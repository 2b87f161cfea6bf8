// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "io/families/input_options.hpp"
#include "method/effort.hpp"
#include "method/method_options.hpp"
#include "models/matrix_parameters.hpp"
#include "models/models.hpp"
#include "models/parameter_set.hpp"

namespace accord {

/// Everything besides the sequences that determines an alignment.
struct AlignSettings {
  Parameters parameters;
  /// Name of the parameters; with a matrix, "+" and the name of the matrix follow.
  std::string parameter_set = {};
  /// SHA-256, as hexadecimal digits, of the text of the parameter file; with a matrix, the text of
  /// the matrix and the gap costs are included.
  std::string parameter_sha256 = {};
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;    ///< path of a Newick file, for TreeMethod::file
  bool prunes = false;      ///< leave out leaves of the tree of tree_file that are not sequences
  bool confidence = false;  ///< also compute the confidence
  LargeFamilies large = LargeFamilies::automatic;
  std::size_t backbone =
      0;  ///< number of sequences of the backbone of a large family; 0: backbone_size() chooses it
  Effort effort = Effort::normal;
  LargeEffort large_effort = {};  ///< the numbers of `effort`, with the values that the user set
  AlignMode mode = AlignMode::posterior;
  /// Largest number of rounds of refinement in the local modes. More than two do not raise
  /// accuracy.
  int local_rounds = 2;
  bool folds = true;  ///< whether base pairs of RNA may be predicted (can_fold)
  /// Whether pairs of structures are superposed (superpose_pairs). use_tracks() sets it.
  bool superposes = false;
  MethodOptions options = {};  ///< what the user has set
  std::string label = {};      ///< names the family in warnings of its tracks; may be empty

  bool is_local() const { return mode != AlignMode::posterior; }
};

/// Sets the values of the options in `settings`, which must have the default settings.
void apply_options(const MethodOptions& method, AlignSettings& settings);

/// Refuses options that contradict each other, and an option without another one that it needs.
/// Throws  Error{usage} for gap costs without a matrix, for a matrix in a local mode, and for
///         `prune` without a tree from a file.
void check_options(const MethodOptions& method);

/// The settings for sequences of a type: the defaults of the type with the options applied. Files
/// of parameters and of a matrix are in `method` with their texts; no file is read.
/// Throws  as check_options, parse_parameter_set, parse_substitution_matrix and with_matrix.
AlignSettings make_settings(const MethodOptions& method, ResidueType type);

/// Whether the parameters are the built-in ones for a residue type.
bool has_built_in_parameters(const AlignSettings& settings, ResidueType type);

/// Calls `visit(name, value)` for everything besides the input that influences an alignment: how
/// sequences are read, and how they are aligned. The name is a const char*. The value is a bool, an
/// int, a float, a std::string or a std::string_view. The order is always the same. Reports, their
/// checksum and the record of a batch contain these values.
template <class Visit>
void visit_settings(const FamilySource& source, const AlignSettings& settings, ResidueType type,
                    const Visit& visit) {
  visit("type", to_string(type));
  const auto visit_fields = [&](const auto& fields, const auto& values) {
    for (const auto& field : fields) {
      std::visit([&](const auto& value) { visit(field.name.c_str(), value); }, field.value(values));
    }
  };
  visit_fields(reported_fields(), settings);
  visit_fields(reported_input_fields(), source);
}

}  // namespace accord
