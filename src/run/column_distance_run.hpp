// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "io/distance_writer.hpp"
#include "io/family_reader.hpp"
#include "method/settings.hpp"
#include "phylogeny/column_distances.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Which distances are asked for.
struct DistanceQuery {
  bool is_aligned = false;        ///< of an alignment that is given
  bool percent_identity = false;  ///< identities, written in per cent
  ColumnDistances columns;        ///< its model is empty if none was asked for

  /// Whether the distances are those of columns, of an alignment that is given or made.
  bool needs_columns() const { return is_aligned || percent_identity || !columns.model.empty(); }
  /// The unit in which the distances are written.
  DistanceUnit unit() const;
  /// Throws  Error{usage} if two parts of the query exclude each other; as check_column_distances.
  void check() const;
};

/// Computes the distances of all pairs of a family: by their posteriors (see distances()), or in
/// the columns of its alignment, which is made first. Units   those of the query; shape as
/// column_distances. Throws  as distances(), align and column_distances.
DistanceMatrix family_distances(const FamilyInput& family, const AlignSettings& settings,
                                const DistanceQuery& query, const RunContext& context);

}  // namespace accord::run
