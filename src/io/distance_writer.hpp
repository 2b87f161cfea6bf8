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
  phylip,        ///< square, relaxed: a line with the number of sequences, then a line for each
  phylip_lower,  ///< as phylip, but a line has only the distances to the sequences above it
  tsv,           ///< square, with a header line of names, tab-separated
  csv,           ///< as tsv, but with commas; names are in double quotes if necessary
  pairs,         ///< a line for each pair of sequences, tab-separated, under a header line
};

/// The names of the formats, for hints.
inline constexpr const char* kDistanceFormats = "phylip, phylip-lower, tsv, csv or pairs";

/// The format with a name (phylip, phylip-lower, tsv, csv, pairs); none if there is no such format.
std::optional<DistanceFormat> distance_format_named(std::string_view name);

/// The format for the suffix of a path (".tsv", ".CSV.gz"); PHYLIP for all other suffixes.
DistanceFormat distance_format_of_suffix(std::string_view path);

/// The unit of the values: distances, identities in per cent, 100 (1 - distance), or numbers of
/// columns.
enum class DistanceUnit { distance, percent_identity, count };

/// Formats a matrix; `unit` is the unit of the text. The matrix has distances, also if the text has
/// identities; only with DistanceUnit::count does it have numbers of columns. Distances get 6
/// decimals, identities 3, and numbers of columns none; a value that is not finite is NA. Rows and
/// columns are in input order. The names are those of whole_names in tsv, csv and pairs, and those
/// of unique_names in the PHYLIP formats.
std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set,
                             DistanceFormat format = DistanceFormat::phylip,
                             DistanceUnit unit = DistanceUnit::distance);

}  // namespace accord
