// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// Distances between named sequences.
struct NamedDistances {
  SequenceSet names;         ///< sequences without residues, for names and canonical order
  DistanceMatrix distances;  ///< canonical order
};

/// Parses a distance matrix, which is in one of two formats.
/// PHYLIP: a line with the number of sequences, then for each sequence its name and its distances,
/// which may continue on further lines. A name ends at the first white space. If the text makes no
/// sense so, every name has ten columns. The matrix is square, or a lower or upper triangle with or
/// without the diagonal.
/// Table, as format_distances writes it, with fields separated by tabs or commas. The first line
/// has a first field of any content, which may be missing, and the names. Then each name has a line
/// with the name and its distances, in the order of the first line.
/// `label` names the text in messages.
/// Throws  Error{bad_input} if the number of distances is wrong, a distance is not in [0, 1e30], a
///         square is not symmetric (to 1e-6 of its distances) or its diagonal is not 0, or two
///         names are equal.
NamedDistances parse_distances(std::string_view text, const std::string& label);

}  // namespace accord
