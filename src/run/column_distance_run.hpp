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
  /// What they are written in.
  DistanceUnit unit() const;
};

/// The distances of all pairs of a family in the columns of its alignment, which is made for them.
/// Units   those of the model; shape as column_distances.
/// Throws  as align and column_distances.
DistanceMatrix distances_in_columns(const FamilyInput& family, const AlignSettings& settings,
                                    const ColumnDistances& wanted, const RunContext& context);

}  // namespace accord::run
