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

/// Distances of models beside those of differences in columns, as another library has them.
struct OtherDistanceModels {
  std::string help;     ///< their names, and what their distances are, in a sentence
  std::string example;  ///< the name of one
  /// Refuses a model that does not exist, or has parameters without a value.
  /// Throws  Error{usage}
  void (*check)(const std::string& model);
  /// The distances of each two rows, as column_distances() has them.
  DistanceMatrix (*distances)(const std::string& model, const std::vector<std::string>& rows,
                              const SequenceSet& set, const std::string& label);
};

/// The kind of distances between rows.
struct ColumnDistances {
  std::string model;                 ///< as distance_model_named, or one of `others`; empty: p
  std::optional<IdentityOver> over;  ///< of p alone; not set: aligned
  bool counts_unknown = false;       ///< of p and snps, see RowBits
  const OtherDistanceModels* others = nullptr;  ///< null: there are none

  /// The model of differences in columns; none if it is another one.
  std::optional<DistanceModel> in_columns() const {
    return model.empty() ? DistanceModel::p : distance_model_named(model);
  }
};

/// Refuses a model that does not exist or has parameters without a value, and what says nothing
/// beside it.
/// Throws  Error{usage}
void check_column_distances(const ColumnDistances& wanted);

/// The distances of each two rows: NaN if there is no column to compare, infinite if they differ
/// more than the model can tell; warnings count these. `label` names the alignment.
/// Shape   rows in input order, of one length, gaps as `-`; distances in the canonical order of
///         `set`.
/// Throws  Error{usage} for a model of other residues; what those of others throw.
/// Cost    O(rows^2 x columns / 64), of other models more; uses thread_count() threads.
DistanceMatrix column_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                                const ColumnDistances& wanted, const std::string& label);

}  // namespace accord
