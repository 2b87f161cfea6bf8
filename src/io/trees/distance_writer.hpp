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

/// The unit of the values in the text: distances; identities in per cent, which are
/// 100 (1 - distance); or numbers of columns in which two sequences differ.
enum class DistanceUnit { distance, percent_identity, count };

/// Formats a matrix of the sequences of `set`; the matrix is in canonical order, the text in input
/// order. `unit` is the unit of the text. For percent_identity the matrix has distances, and the
/// function converts them; for distance and count it writes the values as they are. Distances get 6
/// decimals, identities 3, and numbers of columns none; a value that is not finite is NA. Names
/// keep their blanks in tsv, csv and pairs (whole_names()); in the PHYLIP formats, blanks become
/// `_` (unique_names()). Equal names are numbered.
std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set,
                             DistanceFormat format = DistanceFormat::phylip,
                             DistanceUnit unit = DistanceUnit::distance);

}  // namespace accord
