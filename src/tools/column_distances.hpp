// SPDX-License-Identifier: Apache-2.0
// Distances of the rows of an alignment, by any model that has a name.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "tools/identity.hpp"
#include "tools/row_bits.hpp"

namespace accord {

/// How a distance is computed from the columns in which two rows differ.
enum class DistanceModel {
  p,       ///< their share
  snps,    ///< their number
  jc,      ///< nucleotides; all changes alike
  k80,     ///< nucleotides; transitions and transversions
  tn93,    ///< nucleotides; also two kinds of transitions, and the frequencies of the bases
  kimura,  ///< proteins; from the share
};

/// The model with a name, in upper or lower case: p, snps, jc or jc69, k80 or k2p, tn93, kimura.
std::optional<DistanceModel> distance_model_named(std::string_view name);

/// Whether a model applies to sequences of a type.
bool is_of(DistanceModel model, ResidueType type);

/// How distances are computed.
struct DistanceSettings {
  DistanceModel model = DistanceModel::p;
  IdentityOver over = IdentityOver::aligned;  ///< divisor of identical pairs, for p only
  bool counts_unknown = false;                ///< compares unknown letters; for p and snps only
};

/// The shares of A, C, G and T, in this order, among the bases of all rows; NaN if there are no
/// bases.
std::array<double, 4> base_shares(const std::vector<std::string>& rows);

/// The distances of all pairs of rows. TN93 uses the shares of the bases in all rows.
/// Shape   rows in input order, of one length, gaps as `-`; distances in the canonical order of
///         `set`.
/// Cost    O(rows^2 x columns / 64); uses thread_count() threads.
DistanceMatrix model_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                               const DistanceSettings& settings);

/// Distance models of another library, such as substitution models. The models of this library
/// (DistanceModel) use only differences in columns.
struct OtherDistanceModels {
  std::string help;     ///< a sentence for the help: the names of the models, and their distances
  std::string example;  ///< the name of one of the models
  /// Refuses a model that does not exist, or has parameters without a value.
  /// Throws  Error{usage}
  void (*check)(const std::string& model);
  /// Computes the distances of each two rows, as column_distances() returns them.
  DistanceMatrix (*distances)(const std::string& model, const std::vector<std::string>& rows,
                              const SequenceSet& set, const std::string& label);
};

/// The kind of distances between rows.
struct ColumnDistances {
  std::string model;  ///< a name for distance_model_named, or a model of `others`; empty: p
  std::optional<IdentityOver> over;  ///< divisor of identical pairs, for p only; not set: aligned
  bool counts_unknown = false;       ///< compares unknown letters, for p and snps only: see RowBits
  const OtherDistanceModels* others = nullptr;  ///< null: there are no other models

  /// The model, if it is a DistanceModel; none if it must be one of `others`.
  std::optional<DistanceModel> in_columns() const {
    return model.empty() ? DistanceModel::p : distance_model_named(model);
  }
};

/// Refuses a model that does not exist or has parameters without a value. Refuses `over` and
/// `counts_unknown` for a model that does not use them.
/// Throws  Error{usage}
void check_column_distances(const ColumnDistances& wanted);

/// Computes the distances of each two rows. A distance is NaN if the rows have no column to
/// compare, and infinite if they differ too much for the model; warnings count both. `label` names
/// the alignment.
/// Shape   rows in input order, of one length, gaps as `-`; distances in the canonical order of
///         `set`.
/// Throws  Error{usage} for a model of other residues; the errors of `others`.
/// Cost    O(rows^2 x columns / 64), of other models more; uses thread_count() threads.
DistanceMatrix column_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                                const ColumnDistances& wanted, const std::string& label);

}  // namespace accord
