// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// Distances between named sequences.
struct NamedDistances {
  SequenceSet names;         ///< sequences without residues: names, and the canonical order
  DistanceMatrix distances;  ///< canonical order
};

/// A PHYLIP distance matrix: a line with the number of sequences, then for each its name (to the
/// first white space, or, if that does not fit, of ten columns) and its distances, which may go on
/// in further lines. Square, or the lower or the upper triangle, with or without the diagonal. Or a
/// table, as format_distances writes it: a line with a word, which may be missing, and the names,
/// then for each its name and its distances, with tabs or commas between them. `label` names the
/// text in messages.
/// Throws  Error{bad_input} for another number of figures, a figure that is not from 0 to 1e30, a
///         square that is not symmetric (within 1e-6 of its figures) or whose diagonal is not 0, or
///         names that are shared.
NamedDistances parse_distances(std::string_view text, const std::string& label);

}  // namespace accord
