// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/track_table.hpp"
#include "shared/layout.h"

namespace accord {

/// The classes of the letters of a track, which take the places of the contexts of residues in the
/// models (see ResidueContexts). The last class is for unknown residues.
struct TrackClasses {
  static constexpr std::uint8_t kUnknown = ACCORD_CONTEXTS - 1;

  /// By letter; kUnknown for all characters that are no letter of the table.
  std::array<std::uint8_t, 256> class_of{};
  /// [class][class]: the natural logarithm of the odds of two classes, which are how often their
  /// residues are aligned, divided by how often that happens by chance; 0 for the class kUnknown.
  std::array<std::array<double, ACCORD_CONTEXTS>, ACCORD_CONTEXTS> log_odds{};

  /// The class of each letter of a track, in the order of the letters.
  std::vector<std::uint8_t> classes(std::string_view track) const;
};

/// Reduces the letters of a table to at most seven classes, so that aligned residues keep as much
/// mutual information as possible. At first each letter is a group. The two groups whose union
/// loses least information become one, until seven groups are left. Then single letters move to
/// other groups, as long as a move gains information. Ties go to the first letters of the table.
/// The result has the same bits on all platforms.
TrackClasses reduce_track_letters(const TrackTable& table);

}  // namespace accord
