// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"
#include "io/families/family_reader.hpp"
#include "io/trees/distance_writer.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "tools/column_distances.hpp"

namespace accord::run {

/// The distances that a user asks for.
struct DistanceQuery {
  bool is_aligned = false;        ///< the input is an alignment
  bool percent_identity = false;  ///< writes identities in per cent instead of distances
  ColumnDistances columns;        ///< columns.model is empty if the user named no model

  /// Whether the distances are counted in the columns of an alignment, given or made by accord.
  bool needs_columns() const { return is_aligned || percent_identity || !columns.model.empty(); }
  /// The unit in which the distances are written.
  DistanceUnit unit() const;
  /// Refuses parts of the query that exclude each other.
  /// Throws  Error{usage}; as check_column_distances.
  void check() const;
};

/// Computes the distances of all pairs of a family. If the query needs columns, the function aligns
/// the family and compares the rows of the alignment; else it uses posteriors (see distances()).
/// Units   those of the query; shape as column_distances.
/// Throws  as distances(), align and column_distances.
DistanceMatrix family_distances(const PreparedFamily& family, const DistanceQuery& query,
                                const RunContext& context);

/// Computes the distances of all pairs of a family from their posteriors: 1 - expected accuracy.
/// The matrix is in the canonical order of `set`.
/// Throws  Error{out_of_memory} if they do not fit the memory budget; as compute_distances.
DistanceMatrix distances(const SequenceSet& set, const AlignSettings& settings,
                         const RunContext& context);

}  // namespace accord::run
