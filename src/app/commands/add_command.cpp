// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "app/report/given_run.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "io/given_alignments.hpp"
#include "method/large/add_sequences.hpp"

namespace accord {
namespace {

struct AddOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  bool keep_columns = false;
};

void run_add(const AddOptions& options) {
  const Timer timer;
  if (!options.output.files.left_out.empty() && !options.keep_columns) {
    throw Error(ErrorKind::usage, "--left-out without --keep-columns: nothing is left out",
                "give both, or neither");
  }
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files));
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const std::vector<std::string>& inputs = options.input.files;
  const GivenAlignments given({inputs.front()}, {inputs.begin() + 1, inputs.end()}, options.input,
                              needs_checksums(files));
  warn_of_fragments(given);
  const SequenceSet& set = given.set();
  AlignSettings settings = make_settings(options.method, set.type());
  settings.confidence = needs_confidence(files);
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  check_memory(work_of_adding(set, kAddingRows), worst_case(), settings, thread_count(), budget);
  const CombinedAlignment added = computation.run([&](Scheduler& scheduler,
                                                      ProgressListener& progress) {
    return add_sequences(set, given.parts().front(), settings, scheduler, {log_stage, &progress});
  });
  const DeviceUse use = computation.use();
  const auto cost = [&] { return run_cost(timer, budget); };
  write_files({"add", given, settings, options.keep_columns, added, use, cost}, files);
}

}  // namespace

Command add_command() {
  const auto options = std::make_shared<AddOptions>();
  Command command{
      .name = "add",
      .arguments = "MSA NEW...",
      .summary = "add the sequences of NEW to the alignment MSA",
      .description =
          "Adds sequences or fragments to an alignment. The rows of MSA stay as they are, in "
          "their order, and keep their columns; the new sequences follow. Each of them is "
          "aligned with the rows that are most like it, and its residues stand in the columns of "
          "the residues that they are aligned with. Residues that fit no column of MSA get new "
          "columns, in which the rows of MSA have gaps.\n"
          "\n"
          "With --keep-columns there are no new columns: residues without a column are left out, "
          "a warning says how many, and --left-out FILE lists them (TSV: sequence, first and "
          "last residue from 1, letters). The formats a2m and a3m have them in lower case.\n"
          "\n"
          "The confidence ('accord help confidence') is that of the pairs of a new sequence with "
          "the rows that it was aligned with; the rows of MSA have none. 'accord confidence' "
          "judges the whole alignment.\n"
          "\n"
          "With --adjust-direction nucleotides of NEW are turned round that share more with the "
          "rows of MSA and with each other that way; the rows stay as they are. Without it a "
          "warning says which look like reverse complements.\n"
          "\n"
          "Names must differ; a name that occurs twice is an error.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_direction_option(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  command.options.push_back({.name = "keep-columns",
                             .help = "no new columns: residues that fit no column are left out",
                             .topic = OptionTopic::output,
                             .set = flag_in(options->keep_columns)});
  command.options.push_back({.name = "left-out",
                             .value = "FILE",
                             .help = "list the residues that are left out here (TSV)",
                             .topic = OptionTopic::output,
                             .set = keep_in(options->output.files.left_out)});
  add_report_option(command.options, options->output.files.report);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_add);
  return command;
}

}  // namespace accord
