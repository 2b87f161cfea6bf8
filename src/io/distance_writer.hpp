// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/distance_matrix.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// Formats of a distance matrix.
enum class DistanceFormat {
  phylip,        ///< square, relaxed: a line with the number, then a line per sequence
  phylip_lower,  ///< the same with the distances to the sequences above only
  tsv,           ///< square, with a header line of names, tab-separated
  csv,           ///< the same with commas; names in double quotes where they need it
  pairs,         ///< a line for each pair of sequences, tab-separated, under a header line
};

/// The format of a name (phylip, phylip-lower, tsv, csv, pairs); none if there is no such format.
std::optional<DistanceFormat> distance_format_named(std::string_view name);

/// The format that a file's suffix stands for (".tsv", ".CSV.gz"); PHYLIP if it says nothing.
DistanceFormat distance_format_of_suffix(std::string_view path);

/// What the figures of a matrix are: distances, identities in per cent, 100 (1 - distance), or
/// numbers of columns.
enum class DistanceUnit { distance, percent_identity, count };

/// The distances as text, with 6 decimals (identities with 3, numbers of columns with none), NA for
/// those that are not finite; rows and columns in input order, names as unique_names, in tsv, csv
/// and pairs as whole_names.
std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set,
                             DistanceFormat format = DistanceFormat::phylip,
                             DistanceUnit unit = DistanceUnit::distance);

}  // namespace accord
