// SPDX-License-Identifier: Apache-2.0
// Alignments that sequences are added to, or that are merged.
#include <algorithm>
#include <utility>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "base/timer.hpp"
#include "io/given_alignments.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/merge_alignments.hpp"
#include "run/estimate/estimate.hpp"
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

/// What a run makes, as the command writes it.
struct Run {
  explicit Run(const Options& options)
      : cpu_before(process_cpu_seconds()),
        budget(budget_of(options)),
        devices(options),
        progress(options.progress) {}

  Alignment alignment(const std::string& command, const GivenAlignments& given,
                      const AlignSettings& settings, bool keeps_columns,
                      const CombinedAlignment& combined, const WarningScope& scope) {
    const DeviceUse use = devices.use();
    warn_of(use.faults);
    AlignmentText text = make_alignment_text(given.set(), combined.msa);
    Alignment made = alignment_of(text);
    if (combined.confidence) {
      set_confidence(made, given.set(), combined.msa, *combined.confidence);
    }
    if (keeps_columns) {
      keep_numbered_columns(text, given.set(), combined.is_given_column);
      made = part_of(text, made, combined.is_given_column);
    }
    const auto cost = [&] {
      RunCost spent = run_cost(timer, budget);
      spent.cpu_seconds -= cpu_before;
      return spent;
    };
    made.report =
        format_report(GivenRun{command, given, settings, keeps_columns, combined, use, cost},
                      result_rows(text), {});
    made.warnings = notices_of(scope);
    return made;
  }

  Timer timer;
  double cpu_before;
  std::optional<std::size_t> budget;
  Devices devices;
  ProgressAdapter progress;
};

}  // namespace

Added add(const std::vector<Sequence>& rows, const std::vector<Sequence>& sequences,
          bool keep_columns, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    Run run(options);
    const GivenAlignments given({block_of_rows(rows, "the alignment")},
                                {{"the sequences", records_of(sequences)}}, source_of(options),
                                "the alignment and the sequences");
    warn_of_fragments(given);
    const SequenceSet& set = given.set();
    const AlignSettings settings = settings_of(options, set.type());
    check_memory(work_of_adding(set, given.parts().front().members.size(), settings.large_effort),
                 worst_case(), settings, thread_count(), run.budget);
    const CombinedAlignment combined = add_sequences(set, given.parts().front(), settings,
                                                     run.devices.scheduler(), {{}, &run.progress});
    Added added;
    if (keep_columns) {
      const std::vector<ResidueRange> ranges = residues_left_out(set, combined);
      warn_of_left_out(ranges);
      for (const ResidueRange& range : ranges) {
        const std::size_t count = range.last + 1 - range.first;
        added.left_out.push_back({std::string(set.name(range.sequence)), range.first, range.last,
                                  set.letters(range.sequence).substr(range.first, count)});
      }
    }
    added.alignment = run.alignment("add", given, settings, keep_columns, combined, scope);
    return added;
  });
}

Alignment merge(const std::vector<std::vector<Sequence>>& alignments, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    if (alignments.size() < 2) {
      throw Error(ErrorKind::usage, "there are no two alignments to merge", "give at least two");
    }
    Run run(options);
    std::vector<Block> blocks;
    for (const std::vector<Sequence>& rows : alignments) {
      blocks.push_back(block_of_rows(rows, "alignment " + std::to_string(blocks.size() + 1)));
    }
    FamilySource source = source_of(options);
    source.adjust_direction = source.suggests_direction = false;
    const GivenAlignments given(blocks, {}, source, "the alignments");
    const SequenceSet& set = given.set();
    const AlignSettings settings = settings_of(options, set.type());
    const std::size_t rows = std::max(kMergedRows, kLeastMergedRows * blocks.size());
    check_memory(work_of_backbone(set, rows, settings.large_effort), worst_case(), settings,
                 thread_count(), run.budget);
    const CombinedAlignment combined = merge_alignments(
        set, given.parts(), settings, run.devices.scheduler(), {{}, &run.progress});
    return run.alignment("merge", given, settings, false, combined, scope);
  });
}

}  // namespace accord::api
