// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// The share of the pairs of residues in one column that are the same letter, in either case; NaN
/// if there is no such pair.
/// Shape   rows of one length, gaps as `-`.
/// Cost    O(rows x columns): the letters of a column are counted.
double mean_identity(const std::vector<std::string>& rows);

/// 1 - identity of each two rows: the share of the columns in which both have a residue that are
/// the same letter, in either case; 1 if there is no such column.
/// Shape   rows in input order; distances in the canonical order of `set`.
/// Cost    O(rows^2 x columns); uses thread_count() threads.
DistanceMatrix identity_distances(const std::vector<std::string>& rows, const SequenceSet& set);

}  // namespace accord
