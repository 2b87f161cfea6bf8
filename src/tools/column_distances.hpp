// SPDX-License-Identifier: Apache-2.0
// Distances of the rows of an alignment, by any model that has a name.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "tools/distance_models.hpp"

namespace accord {

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
