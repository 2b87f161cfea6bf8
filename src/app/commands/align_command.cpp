// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"
#include "method/folding/base_pair_track.hpp"
#include "run/align_run.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/report.hpp"

namespace accord {
namespace {

/// Rejects options that large families do not support.
void check_large(const PreparedFamily& family, const RunFiles& files) {
  const bool has_tree = family.settings.tree == TreeMethod::file;
  const char* what = !files.distances.empty() ? "--dist-out writes the distances"
                     : has_tree               ? "--tree FILE is a guide tree"
                                              : nullptr;
  const FamilyPlan& plan = family.plan;
  if (what == nullptr || !plan.is_large()) return;
  throw Error(ErrorKind::usage,
              std::string(what) + " of all sequences, but this run aligns a backbone of " +
                  std::to_string(plan.backbone) + " and adds the other " +
                  std::to_string(plan.sequences - plan.backbone) + " to it",
              "leave it out, or try --large never");
}

/// Rejects --track-out of a family that has no tracks and gets none.
void check_track_output(const PreparedFamily& family, const RunFiles& files) {
  const FamilyInput& input = family.input;
  if (files.track.empty() || input.source.track.has_tracks()) return;
  if (!family.plan.is_large() && can_fold(input.set, family.settings)) return;
  throw Error(ErrorKind::usage, input.label + ": --track-out of sequences without tracks",
              "add {track} FILE, or align structures (PDB or mmCIF files)");
}

void run_align(const AlignOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  const RunFiles files = run_files(options.output);
  check_structure_files(files);
  start_run(options, input_files(options, options.method), paths_of(files),
            {files.report, "align"});
  const Timer reading;
  FamilySource source = options.input;
  source.reading.keeps_atoms = !files.superposed.empty();
  FamilyInput input = read_family(source, needs_checksums(files), FamilyUse::alignment);
  const double read_seconds = reading.seconds();
  const PreparedFamily family =
      prepare_family(std::move(input), options.method, needs_confidence(files));
  check_large(family, files);
  check_track_output(family, files);
  check_structures(family.set(), family.input.label, files);
  RunDevices devices =
      open_devices(options, first_stages(options.method), estimate_seconds(family, thread_count()));
  log_run(family, devices, read_seconds);

  const AlignResult result = with_progress(
      options, devices, [&](const RunContext& context) { return run::align(family, context); });
  const DeviceUse use = devices.use();
  log_facts(result.facts);
  const Timer writing;
  write_files({family, result, use, meter}, files);
  log_stage({"write", writing.seconds(), counted(result.msa.columns, "column")});
  log_cost(meter.cost());
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
                      "The word 'align' may be left out.\n"
                      "\n"
                      "IN may be structures, PDB or mmCIF: the chains of their proteins are "
                      "superposed, with their secondary structure as tracks. IN:A,B takes chains A "
                      "and B of IN, and a folder stands for the structures in it.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_track_options(command.options, options->input);
  add_output_options(command.options, options->output);
  add_track_output_option(command.options, options->output);
  add_structure_output_options(command.options, options->output);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_align);
  return command;
}

}  // namespace accord
