// SPDX-License-Identifier: Apache-2.0
#include "method/large/add_sequences.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "method/family_size.hpp"
#include "method/large/insertions.hpp"
#include "method/large/large_family.hpp"
#include "method/large/placed_confidence.hpp"
#include "method/large/representatives.hpp"
#include "method/stage_log.hpp"

namespace accord {
namespace {

/// Some rows of an alignment, with all of its columns.
AlignedPart rows_of(const SequenceSet& set, const AlignedPart& given, std::size_t most) {
  AlignedPart part;
  part.members = select_representatives(set, given.members, most);
  part.msa.columns = given.msa.columns;
  for (std::size_t m = 0; m < given.members.size(); ++m) {
    if (!std::ranges::binary_search(part.members, given.members[m])) continue;
    part.msa.column_of.push_back(given.msa.column_of[m]);
  }
  return part;
}

std::vector<std::uint32_t> lengths_of(const SequenceSet& set,
                                      std::span<const std::uint32_t> sequences) {
  std::vector<std::uint32_t> lengths;
  for (const std::uint32_t x : sequences) lengths.push_back(set.length(x));
  return lengths;
}

/// Whether each column is one of those that the given rows had; such a column may be empty.
std::vector<bool> given_columns(const Placed& placed) {
  std::vector<bool> is_given(placed.msa.columns, false);
  for (const std::uint32_t column : placed.column_of_part) is_given[column] = true;
  return is_given;
}

}  // namespace

CombinedAlignment add_sequences(const SequenceSet& set, const AlignedPart& given,
                                const AlignSettings& settings, Scheduler& scheduler,
                                const RunListener& listener) {
  CombinedAlignment result;
  StageLog log(result.stages, listener);
  std::vector<std::uint32_t> all(set.size()), added;
  std::iota(all.begin(), all.end(), 0u);
  std::ranges::set_difference(all, given.members, std::back_inserter(added));
  const AlignedPart part = rows_of(set, given, kAddingRows);
  const NearestMembers nearest =
      nearest_members(set, added, part.members,
                      nearest_count(lengths_of(set, added), kAddingNearest), listener.progress);
  log.finish("nearest",
             format_count(added.size(), "sequences, ") + format_count(nearest.each, "rows each"));

  const std::vector<PlacedSequence> placed =
      place_sequences({set, settings.parameters}, part, added, nearest, {settings.confidence},
                      scheduler, listener.progress);
  log.finish("place", format_count(nearest.places.size(), "pairs"));

  log.begin("insertions", "places", given.msa.columns + 1);
  Placed combined = with_insertions(
      set, given, added, placed,
      [&](const SequenceSet& segments) { return align_segments(segments, settings, scheduler); },
      [&log] { log.advance(); });
  log.finish("insertions", format_count(combined.msa.columns - given.msa.columns, "columns"));
  result.is_given_column = given_columns(combined);
  result.given_columns = {combined.column_of_part};
  if (settings.confidence) {
    result.confidence =
        placed_confidence(combined, given, unknown_confidence(given), added, placed);
  }
  result.msa = std::move(combined.msa);
  return result;
}

}  // namespace accord
