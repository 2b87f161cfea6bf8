// SPDX-License-Identifier: Apache-2.0
#include "method/large/add_sequences.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "method/family_size.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/insertions.hpp"
#include "method/large/large_family.hpp"
#include "method/large/placed_confidence.hpp"
#include "method/large/representatives.hpp"
#include "method/stage_log.hpp"

namespace accord {
namespace {

/// Selects at most `most` representative rows of an alignment; all columns stay.
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

/// Some of the added sequences, and the nearest rows of each.
struct AddedGroup {
  std::vector<std::size_t> which;  ///< their indices among the added sequences
  std::vector<std::uint32_t> sequences;
  NearestMembers nearest;
};

/// Whether there are enough rows to place sequences in two steps, see PlacingOptions.
bool in_steps(std::span<const std::uint32_t> rows) { return rows.size() > kAddingNearest; }

/// Divides the added sequences into genomes that are alike to a row, whose nearest rows share words
/// with them, and all others.
std::vector<AddedGroup> groups_of(const SequenceSet& set, std::span<const std::uint32_t> added,
                                  std::span<const std::uint32_t> rows, std::size_t most_members,
                                  ProgressListener* progress) {
  NearestGenomes found = nearest_genomes(set, added, rows);
  AddedGroup genomes{std::move(found.which), {}, std::move(found.nearest)}, others;
  for (std::size_t k = 0; k < added.size(); ++k) {
    const bool is_genome = std::ranges::binary_search(genomes.which, k);
    if (!is_genome) others.which.push_back(k);
    (is_genome ? genomes : others).sequences.push_back(added[k]);
  }
  const std::size_t most = nearest_count(lengths_of(set, others.sequences),
                                         in_steps(rows) ? most_members : kAddingNearest);
  others.nearest = nearest_members(set, others.sequences, rows, most, progress);
  return {std::move(genomes), std::move(others)};
}

/// For each column, whether it is a column of the given alignment. Such a column may be empty.
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
  const std::vector<AddedGroup> groups =
      groups_of(set, added, part.members, settings.large_effort.most_members, listener.progress);
  const PlacingOptions placing = in_steps(part.members)
                                     ? PlacingOptions(settings.confidence, settings.large_effort)
                                     : PlacingOptions(settings.confidence);
  std::string detail;
  for (const AddedGroup& group : groups) {
    if (group.sequences.empty() && !added.empty()) continue;
    if (!detail.empty()) detail += "; ";
    detail += counted(group.sequences.size(), "sequence") + ", " +
              counted(group.nearest.most(), "row each", "rows each");
  }
  log.finish("nearest", detail);

  std::vector<PlacedSequence> placed(added.size());
  for (const AddedGroup& group : groups) {
    if (group.sequences.empty()) continue;
    std::vector<PlacedSequence> some =
        place_sequences({set, settings.parameters}, part, group.sequences, group.nearest, placing,
                        scheduler, listener.progress);
    for (std::size_t k = 0; k < some.size(); ++k) placed[group.which[k]] = std::move(some[k]);
  }
  log.finish("place", counted(added.size(), "sequence"));

  log.begin("insertions", "places", given.msa.columns + 1);
  Placed combined = with_insertions(
      set, given, added, placed,
      [&](const SequenceSet& segments) { return align_segments(segments, settings, scheduler); },
      scheduler.cpus(), [&log] { log.advance(); });
  log.finish("insertions", counted(combined.msa.columns - given.msa.columns, "column"));
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
