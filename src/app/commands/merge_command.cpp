// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/given_outputs.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "io/given_alignments.hpp"
#include "method/large/merge_alignments.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

struct MergeOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

void run_merge(const MergeOptions& options) {
  const Timer timer;
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files));
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const GivenAlignments given(options.input.files, {}, options.input, needs_checksums(files));
  const SequenceSet& set = given.set();
  AlignSettings settings = make_settings(options.method, set.type());
  settings.confidence = needs_confidence(files);
  const std::size_t rows = std::max(kMergedRows, kLeastMergedRows * given.parts().size());
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  check_memory(work_of_backbone(set, rows, settings.large_effort), worst_case(), settings,
               thread_count(), budget);
  const CombinedAlignment merged =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return merge_alignments(set, given.parts(), settings, scheduler, {log_stage, &progress});
      });
  const DeviceUse use = computation.use();
  const auto cost = [&] { return run_cost(timer, budget); };
  write_files({"merge", given, settings, false, merged, use, cost}, files);
}

}  // namespace

Command merge_command() {
  const auto options = std::make_shared<MergeOptions>();
  Command command{
      .name = "merge",
      .arguments = "MSA MSA...",
      .summary = "merge alignments into one",
      .description =
          "Merges alignments whose rows are related. Each of them stays as it is, except that "
          "columns of gaps are inserted; rows are in the order of the files. Which columns "
          "belong together is decided by posterior probabilities of pairs of rows from different "
          "alignments, 300 rows in all or 8 of each; the confidence ('accord help confidence') is "
          "that of these pairs.\n"
          "\n"
          "Names must differ; a name that occurs twice is an error.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  add_report_option(command.options, options->output.files.report);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_merge);
  return command;
}

}  // namespace accord
