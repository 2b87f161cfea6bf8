// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/family_shards.hpp"
#include "run/shard_run.hpp"

namespace accord {
namespace {

struct JoinOptions : RunOptions {
  OutputOptions output;
};

void check_outputs(const RunFiles& files, const CoreFile& core, const std::string& core_path) {
  if (!files.distances.empty()) {
    throw Error(ErrorKind::usage,
                "--dist-out writes the distances of all sequences, which a family in shards lacks",
                "leave it out, or try 'accord dist'");
  }
  if (needs_confidence(files) && !core.confidence) {
    throw Error(
        ErrorKind::usage, core_path + " has no confidence, which an output of this run shows",
        "make the core with 'accord core --with-confidence', and the parts again from it, or write "
        "another format");
  }
}

void run_join(const JoinOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  const RunFiles files = run_files(options.output);
  const std::vector<std::string>& inputs = options.input.files;
  start_run(options, input_files(options), paths_of(files), {files.report, "join"});
  CoreFile core = read_core(inputs.front());
  check_outputs(files, core, inputs.front());
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  const run::JoinedFamily joined = with_progress(options, devices, [&](const RunContext& context) {
    return run::join(std::move(core), inputs.front(), {inputs.begin() + 1, inputs.end()},
                     needs_confidence(files), context);
  });
  const DeviceUse use = devices.use();
  write_files({joined.family, joined.aligned, use, meter, "join"}, files);
}

}  // namespace

Command join_command() {
  const auto options = std::make_shared<JoinOptions>();
  Command command{
      .name = "join",
      .arguments = "CORE PART...",
      .summary = "the alignment of a family in shards",
      .description =
          "Makes the alignment of a family from its core and from all parts that 'accord add "
          "--shard' has placed in it, in any order: the bytes that 'accord align' writes of the "
          "family, in every format, and with its guide tree. Sequences that fit nowhere are "
          "placed again among all others, and what no column of the core takes is aligned, as in "
          "one process; 'accord help core' shows the commands.\n"
          "\n"
          "What shows the confidence needs a core that was made --with-confidence.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_output_options(command.options, options->output);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_join);
  return command;
}

}  // namespace accord
