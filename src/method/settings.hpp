// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "io/input_options.hpp"
#include "method/effort.hpp"
#include "method/method_options.hpp"
#include "models/matrix_parameters.hpp"
#include "models/models.hpp"
#include "models/parameter_set.hpp"

namespace accord {

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
  MethodOptions options = {};  ///< what the user has set
  std::string label = {};      ///< names the family in warnings of its tracks; may be empty

  bool is_local() const { return mode != AlignMode::posterior; }
};

/// Applies the options to settings that have the defaults.
void apply_options(const MethodOptions& method, AlignSettings& settings);

/// Refuses options that contradict or need each other.
/// Throws  Error{usage} for gap costs without a matrix, for a matrix in a local mode, and for
///         `prune` without a tree from a file.
void check_options(const MethodOptions& method);

/// The settings for residues of a type.
/// Throws  as check_options and with_matrix.
AlignSettings make_settings(const MethodOptions& method, ResidueType type);

/// Whether the parameters are the built-in ones for a residue type.
bool has_built_in_parameters(const AlignSettings& settings, ResidueType type);

/// Calls `visit(name, value)` for everything besides the input that influences an alignment: how
/// sequences are read, and how they are aligned. Values are texts, numbers and booleans. Reports,
/// their checksum and the record of a batch contain these values.
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
