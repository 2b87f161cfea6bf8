// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "app/report/report.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"

namespace accord {
namespace {

/// The family, the device and the parameters of a run, at -v and -vv.
void log_run(const FamilyInput& input, const AlignSettings& settings,
             const Computation& computation) {
  const SequenceSet& set = input.set;
  const std::uint32_t longest = set.size() ? set.length(0) : 0;
  const std::uint32_t shortest = set.size() ? set.length(set.size() - 1) : 0;
  log_verbose("accord " ACCORD_VERSION "  " + std::to_string(set.size()) + " sequences, " +
              std::string(to_string(set.type())) + (input.is_type_detected() ? " (detected)" : "") +
              ", length " + std::to_string(shortest) + "-" + std::to_string(longest) +
              "  parameters " + settings.parameter_set);
  log_verbose("device       " + computation.names());
  log_detail("parameters   " + format_parameters(input, settings));
}

void log_cost(const RunCost& cost) {
  log_verbose(formatted("accord " ACCORD_VERSION "  total %.3f s, cpu %.3f s, peak memory %.1f MiB",
                        cost.wall_seconds, cost.cpu_seconds,
                        static_cast<double>(cost.peak_bytes) / (1024.0 * 1024.0)));
}

/// Rejects options that large families do not support.
void check_large(std::size_t sequences, std::size_t backbone, const AlignSettings& settings,
                 const RunFiles& files) {
  const char* what = !files.distances.empty()            ? "--dist-out writes the distances"
                     : settings.tree == TreeMethod::file ? "--tree FILE is a guide tree"
                                                         : nullptr;
  if (what == nullptr) return;
  throw Error(ErrorKind::usage,
              std::string(what) + " of all sequences, of which this run aligns a backbone of " +
                  std::to_string(backbone) + " and adds the other " +
                  std::to_string(sequences - backbone) + " to it",
              "leave it out, or try --large never");
}

void run_align(const AlignOptions& options) {
  const Timer timer;
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files));
  // Before the sequences are read, so that kernels are compiled meanwhile.
  Computation computation(options, first_stages(options.method), input_work(options.input));
  const Timer reading;
  const FamilyInput input =
      read_family(options.input, needs_checksums(files), FamilyUse::alignment);
  const double read_seconds = reading.seconds();
  AlignSettings settings = make_settings(options.method, input.set.type());
  settings.confidence = needs_confidence(files);
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  const std::size_t backbone = backbone_size(input.set, settings);
  if (backbone < input.set.size()) check_large(input.set.size(), backbone, settings, files);
  check_memory(input.set, settings, thread_count(), budget);
  if (!settings.is_local() && settings.parameters.consistency.rounds_for(backbone) > 0) {
    computation.announce(BackendStage::consistency);
  }
  log_run(input, settings, computation);
  log_stage({"read", read_seconds, std::to_string(input.set.size()) + " sequences"});

  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(input.set, settings, scheduler, {log_stage, &progress});
  });
  const DeviceUse use = computation.use();
  const auto cost = [&] { return run_cost(timer, budget); };
  const Timer writing;
  write_files({input, settings, result, use, cost}, files);
  log_stage({"write", writing.seconds(), std::to_string(result.msa.columns) + " columns"});
  log_cost(cost());
}

}  // namespace

Command align_command(std::shared_ptr<AlignOptions> options) {
  Command command{.name = "align",
                  .arguments = "IN...",
                  .summary = "align the sequences of IN",
                  .description =
                      "Aligns the sequences of IN (FASTA or a format of alignments, see 'accord "
                      "help formats'; gaps are removed; '-' is stdin, compressed files are read, "
                      "too), and writes the alignment to stdout. Several inputs are read as one "
                      "family. Rows are in the order of the input, every letter keeps its case. "
                      "The word 'align' may be left out.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_output_options(command.options, options->output);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_align);
  return command;
}

}  // namespace accord
