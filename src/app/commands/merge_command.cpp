// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/given_alignments.hpp"
#include "run/combine_run.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

struct MergeOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

void run_merge(const MergeOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files),
            {files.report, "merge"});
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  const GivenAlignments given(options.input.files, {}, options.input, needs_checksums(files));
  const AlignSettings settings =
      family_settings(given.input(), options.method, needs_confidence(files));
  const CombinedAlignment merged = with_progress(options, devices, [&](const RunContext& context) {
    return run::merge(given, settings, context);
  });
  const DeviceUse use = devices.use();
  write_files({"merge", given, settings, false, merged, use, meter}, files);
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
          "that of these pairs. --track has the tracks of all rows.\n"
          "\n"
          "Names must differ; a name that occurs twice is an error.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_track_options(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  add_report_option(command.options, options->output.files.report);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_merge);
  return command;
}

}  // namespace accord
