// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/shard_files.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "io/files/text_input.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

struct JoinOptions : RunOptions {
  OutputOptions output;
};

/// All sequences of a family, in the order of the input, and where they are placed in the core.
struct AllParts {
  std::vector<SequenceRecord> records;
  std::vector<std::optional<PlacedSequence>> placed;
  std::vector<FileDigest> files;  ///< the core and the parts
};

AllParts read_parts(const std::vector<std::string>& files, const CoreFile& core) {
  std::vector<PartFile> parts;
  AllParts all;
  all.files = {core.file};
  all.records.resize(core.sequences);
  all.placed.resize(core.sequences);
  for (std::size_t f = 1; f < files.size(); ++f) {
    PartFile& part = parts.emplace_back(read_part(files[f], core, files.front()));
    for (std::size_t k = 0; k < part.records.size(); ++k) {
      const std::size_t place = k * part.count + part.number - 1;
      all.records[place] = std::move(part.records[k]);
      all.placed[place] = std::move(part.placed[k]);
    }
    all.files.push_back(part.file);
    part.records = {};
    part.placed = {};
  }
  check_parts(parts);
  return all;
}

/// Where the sequences to be placed stand in the core, in their order.
std::vector<PlacedSequence> placed_in_order(const SequenceSet& set, const FamilyCore& core,
                                            std::vector<std::optional<PlacedSequence>> by_place) {
  std::vector<std::size_t> place(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) place[set.from_input(k)] = k;
  std::vector<PlacedSequence> placed;
  for (const std::uint32_t x : sequences_to_place(set, core)) {
    std::optional<PlacedSequence>& one = by_place[place[x]];
    if (!one) {
      throw Error(ErrorKind::bad_input,
                  "the sequence " + quote(set.name(x)) + " is placed in no part",
                  "make the parts again");
    }
    placed.push_back(std::move(*one));
  }
  return placed;
}

void check_outputs(const RunFiles& files, const CoreFile& core, const std::string& core_path) {
  if (!files.distances.empty()) {
    throw Error(ErrorKind::usage,
                "--dist-out writes the distances of all sequences, which a family in shards lacks",
                "leave it out, or try 'accord dist'");
  }
  if (needs_confidence(files) && !core.confidence) {
    throw Error(ErrorKind::usage,
                core_path + " has no confidence, which an output of this run shows",
                "make the core and the parts with 'accord core --with-confidence', or write "
                "another format");
  }
}

void run_join(const JoinOptions& options) {
  const Timer timer;
  const RunFiles files = run_files(options.output);
  const std::vector<std::string>& inputs = options.input.files;
  start_run(options, input_files(options), paths_of(files));
  CoreFile file = read_core(inputs.front());
  check_outputs(files, file, inputs.front());
  AlignSettings settings = settings_of(file, inputs.front());
  settings.confidence = needs_confidence(files);
  if (!settings.confidence) file.confidence.reset();
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));

  AllParts all = read_parts(inputs, file);
  FamilyInput input;
  input.label = file.family;
  input.source = file.source;
  FamilySource typed = file.source;
  typed.type = file.type;
  input.set = make_family(std::move(all.records), typed, input.label);
  input.files = std::move(all.files);
  const SequenceSet& set = input.set;
  std::vector<std::uint32_t> members;
  for (const std::size_t place : file.places) {
    members.push_back(static_cast<std::uint32_t>(set.from_input(place)));
  }
  FamilyCore core = family_core(file, std::move(members), inputs.front());
  std::vector<PlacedSequence> placed = placed_in_order(set, core, std::move(all.placed));
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  check_memory(set, settings, thread_count(), budget);

  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return join_placed(set, std::move(core), std::move(placed), settings, scheduler,
                       {log_stage, &progress});
  });
  const DeviceUse use = computation.use();
  const auto cost = [&] { return run_cost(timer, budget); };
  write_files({input, settings, result, use, cost, "join"}, files);
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
