// SPDX-License-Identifier: Apache-2.0
#include "io/track_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/track_table.hpp"

namespace accord {

AlignmentText track_rows(const SequenceSet& set, const Msa& msa, const GuideTree* order) {
  AlignmentText text = make_alignment_text(set, msa, nullptr, {.order = order});
  const std::vector<std::uint32_t> leaves =
      order != nullptr ? leaves_in_order(*order) : std::vector<std::uint32_t>();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    const std::span<char> residues = text.rows.residues(r);
    const std::string& track = set.track(order != nullptr ? leaves[r] : set.from_input(r));
    if (track.empty()) {
      std::ranges::fill(residues, kUnknownTrackLetter);
    } else {
      std::ranges::copy(track, residues.begin());
    }
  }
  return text;
}

}  // namespace accord
