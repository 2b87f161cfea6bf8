// SPDX-License-Identifier: Apache-2.0
// Adds sequences to an alignment, and merges alignments.
#include <cstddef>
#include <string>
#include <vector>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "io/families/given_alignments.hpp"
#include "io/families/track_writer.hpp"
#include "method/large/add_sequences.hpp"
#include "run/combine_run.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/given_run.hpp"
#include "tools/range_names.hpp"

namespace accord::api {
namespace {

using Block = GivenAlignments::Block;

Block block_of_rows(const std::vector<Sequence>& rows, const std::string& label) {
  Block block{label, records_of_rows(rows)};
  if (block.records.empty() || block.records.front().letters.empty()) {
    throw Error(ErrorKind::bad_input, label + " has no " + (rows.empty() ? "rows" : "columns"));
  }
  return block;
}

/// The tracks in the columns that the run keeps.
std::vector<std::string> tracks_of(const GivenRun& made) {
  std::vector<std::string> rows = track_rows(made.given.set(), made.combined.msa).rows.texts();
  if (!made.keeps_columns) return rows;
  for (std::string& row : rows) {
    std::size_t column = 0;
    std::erase_if(row, [&](char) { return !made.combined.is_given_column[column++]; });
  }
  return rows;
}

/// The alignment of a run, as the command writes it.
Alignment combined_alignment(const GivenRun& made, const WarningScope& scope) {
  const SequenceSet& set = made.given.set();
  const CombinedAlignment& combined = made.combined;
  AlignmentText text = make_alignment_text(set, combined.msa);
  Alignment alignment = alignment_of(text);
  if (combined.confidence) set_confidence(alignment, set, combined.msa, *combined.confidence);
  if (made.keeps_columns) {
    keep_numbered_columns(text, set, combined.is_given_column);
    alignment = part_of(text, alignment, combined.is_given_column);
  }
  if (made.given.input().source.track.has_tracks()) alignment.tracks = tracks_of(made);
  alignment.report = format_report(made, result_rows(text), {});
  alignment.warnings = notices_of(scope);
  return alignment;
}

}  // namespace

Added add(const std::vector<Sequence>& rows, const std::vector<Sequence>& sequences,
          bool keep_columns, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    CallRun call_run(options);
    FamilySource source = source_of(options);
    source.takes_track = true;
    const GivenAlignments given({block_of_rows(rows, "the alignment")},
                                {{"the sequences", records_of(sequences)}}, source,
                                "the alignment and the sequences");
    const SequenceSet& set = given.set();
    const AlignSettings settings =
        family_settings(given.input(), method_of(options), options.confidence);
    const CombinedAlignment combined = run::add(given, settings, call_run.context());
    const DeviceUse use = call_run.devices().use();
    Added added;
    if (keep_columns) {
      const std::vector<ResidueRange> ranges = residues_left_out(set, combined);
      warn_of_residues_left_out(ranges);
      for (const ResidueRange& range : ranges) {
        const std::size_t count = range.last + 1 - range.first;
        added.left_out.push_back({std::string(set.name(range.sequence)), range.first, range.last,
                                  set.letters(range.sequence).substr(range.first, count)});
      }
    }
    added.alignment = combined_alignment(
        {"add", given, settings, keep_columns, combined, use, call_run.meter()}, scope);
    return added;
  });
}

Alignment merge(const std::vector<std::vector<Sequence>>& alignments, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    if (alignments.size() < 2) {
      throw Error(ErrorKind::usage, "there are no two alignments to merge", "give at least two");
    }
    CallRun call_run(options);
    std::vector<Block> blocks;
    for (const std::vector<Sequence>& rows : alignments) {
      blocks.push_back(block_of_rows(rows, "alignment " + std::to_string(blocks.size() + 1)));
    }
    FamilySource source = source_of(options);
    source.adjust_direction = source.suggests_direction = false;
    source.takes_track = true;
    const GivenAlignments given(blocks, {}, source, "the alignments");
    const AlignSettings settings =
        family_settings(given.input(), method_of(options), options.confidence);
    const CombinedAlignment combined = run::merge(given, settings, call_run.context());
    const DeviceUse use = call_run.devices().use();
    return combined_alignment({"merge", given, settings, false, combined, use, call_run.meter()},
                              scope);
  });
}

}  // namespace accord::api
