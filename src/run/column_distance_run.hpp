// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "io/distance_writer.hpp"
#include "io/family_reader.hpp"
#include "method/settings.hpp"
#include "phylogeny/column_distances.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Which distances to compute.
struct DistanceQuery {
  bool is_aligned = false;        ///< the input is an alignment
  bool percent_identity = false;  ///< the distances are identities, written in per cent
  ColumnDistances columns;        ///< columns.model is empty if the user named no model

  /// Whether the distances are counted in the columns of an alignment, given or made by accord.
  bool needs_columns() const { return is_aligned || percent_identity || !columns.model.empty(); }
  /// The unit in which the distances are written.
  DistanceUnit unit() const;
};

/// Aligns a family, and counts the distances of all its pairs in the columns of the alignment.
/// Units   those of the model; shape as column_distances.
/// Throws  as align and column_distances.
DistanceMatrix distances_in_columns(const FamilyInput& family, const AlignSettings& settings,
                                    const ColumnDistances& wanted, const RunContext& context);

}  // namespace accord::run
