// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/batch/batch_run.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/io/output_file.hpp"
#include "accord/method/estimate.hpp"
#include "accord/report/report.hpp"

namespace accord {
namespace {

/// Families that wait for devices while others are computed: enough small ones that their pairs
/// together fill a large GPU.
constexpr int kWaitingForDevices = 96;

/// Families that are read or written while the cores compute others.
constexpr int kReadAhead = 2;

/// Of the memory that the run may use, what the program itself takes is not for families.
BatchLimits limits_of(const OpenBackends& backends, std::optional<std::size_t> budget) {
  constexpr std::size_t kUnknownMemory = std::size_t{8} << 30;
  BatchLimits limits;
  limits.cores = thread_count();
  limits.in_flight =
      limits.cores + kReadAhead + (backends.devices.empty() ? 0 : kWaitingForDevices);
  const std::size_t all = budget.value_or(kUnknownMemory);
  limits.budget = budget;
  limits.memory_bytes = all - std::min(all, program_memory(limits.cores));
  return limits;
}

std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [&](const FamilyOutcome& outcome) { return outcome.status == status; }));
}

std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds) {
  std::string text = std::to_string(outcomes.size()) + " families: ";
  for (FamilyStatus status : {FamilyStatus::aligned, FamilyStatus::complete, FamilyStatus::failed,
                              FamilyStatus::not_started}) {
    const std::size_t count = count_of(outcomes, status);
    if (count == 0 && status != FamilyStatus::aligned) continue;
    text += std::to_string(count) + " " + to_string(status) + ", ";
  }
  char time[32];
  std::snprintf(time, sizeof time, "%.1f s", seconds);
  return text + time;
}

/// The folder, made if it is not there.
void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::cannot_create, "cannot create " + folder + ": " + error.message());
  }
}

/// Of the output files: the name of the format, so that format_of_suffix() knows it again, but
/// aligned FASTA is told apart from the input.
std::string suffix_of(AlignmentFormat format) {
  if (format == AlignmentFormat::fasta) return ".afa";
  std::string suffix = ".";
  return suffix.append(name_of(format));
}

void run_batch_command(const BatchOptions& options) {
  const Timer timer;
  apply_common(options.messages, options.compute);
  if (options.folder.empty()) {
    throw Error(ErrorKind::usage, "batch needs an output folder", "name it with -O DIR");
  }
  if (options.method.tree == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "--tree " + options.method.tree_file + ": batch has many families",
                "a guide tree is of one family: use upgma or nj, or align it alone");
  }
  const std::vector<BatchFamily> families = shard_of(
      list_families(options.input.files.front(), options.folder, suffix_of(options.format)),
      options.shard);
  make_folder(options.folder);
  if (!options.report.empty()) check_output_writable(options.report);
  const std::optional<std::size_t> budget = memory_budget(options.compute.memory);
  BatchRecord record(options.folder, options.shard);
  double work = 0;
  for (const BatchFamily& family : families) work += expected_work(family);
  const OpenBackends backends =
      open_backends(options.compute, {BackendStage::posteriors, BackendStage::relax}, work);
  if (options.method.tree == TreeMethod::neighbor_joining) backends.announce(BackendStage::join);
  const std::unique_ptr<Scheduler> scheduler = backends.scheduler();
  log_verbose("accord " ACCORD_VERSION "  " + std::to_string(families.size()) + " families  mode " +
              options.method.mode);
  log_verbose("device       " + backends.names());

  const std::vector<FamilyOutcome> outcomes = [&] {
    ProgressMeter progress(progress_style(options.messages));
    return run_batch(families, options, limits_of(backends, budget), *scheduler, record, progress);
  }();

  warn_of(scheduler->faults());
  const RunCost cost{timer.seconds(), process_cpu_seconds(), process_peak_bytes()};
  if (!options.report.empty()) {
    const DeviceUse use{backends.used, backends.names(), scheduler->faults(), budget};
    write_output(options.report, format_batch_report(options, families, outcomes, use, cost));
  }
  log_notice(summary_of(outcomes, cost.wall_seconds));
  const std::size_t failed = count_of(outcomes, FamilyStatus::failed);
  if (failed > 0) {
    throw Error(
        ErrorKind::batch_incomplete,
        std::to_string(failed) + " of " + std::to_string(families.size()) + " families failed" +
            (count_of(outcomes, FamilyStatus::not_started) > 0 ? ", others were not started" : ""),
        "--report lists them; --resume tries again what is not complete");
  }
}

}  // namespace

Command batch_command(std::shared_ptr<BatchOptions> options) {
  Command command{
      .name = "batch",
      .arguments = "SOURCE",
      .summary = "align many families in one process",
      .description =
          "Aligns every family of SOURCE: the FASTA files of a folder, or those of a manifest ('-' "
          "is stdin), which has a line for each family: IN, ID<tab>IN or ID<tab>IN<tab>OUT. The "
          "alignments, the same bytes as those of 'accord align', are written to the folder -O as "
          "ID.afa, or ID and the name of the format. Large families come first. A family that "
          "fails does not stop "
          "the others; the exit code is then 4.\n",
      .least_files = 1,
      .most_files = 1};
  add_family_options(command.options, options->input);
  add_batch_options(command.options, *options);
  add_method_options(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    run_batch_command(*options);
  };
  return command;
}

}  // namespace accord
