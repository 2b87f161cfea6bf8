// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "accord/app/commands.hpp"
#include "accord/app/html_page.hpp"
#include "accord/app/plan.hpp"
#include "accord/app/report.hpp"
#include "accord/app/run_setup.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/io/confidence_writer.hpp"
#include "accord/io/distance_writer.hpp"
#include "accord/io/newick.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/text_input.hpp"

namespace accord {
namespace {

void log_family(const SequenceSet& set, const AlignOptions& options, const std::string& device) {
  const std::uint32_t longest = set.size() ? set.length(0) : 0;
  const std::uint32_t shortest = set.size() ? set.length(set.size() - 1) : 0;
  log_verbose("accord " ACCORD_VERSION "  " + std::to_string(set.size()) + " sequences, " +
              std::string(to_string(set.type())) + (options.input.type ? "" : " (detected)") +
              ", length " + std::to_string(shortest) + "-" + std::to_string(longest) + "  mode " +
              options.method.mode);
  log_verbose("device       " + device);
}

std::vector<std::string> files_of(const OutputOptions& options) {
  std::vector<std::string> files = {options.tree,       options.distances, options.report,
                                    options.confidence, options.html,      options.multiqc};
  for (const AlignmentOutput& output : alignment_outputs(options)) files.push_back(output.file);
  return files;
}

bool needs_confidence(const OutputOptions& options) {
  for (const std::string& file :
       {options.confidence, options.report, options.html, options.multiqc}) {
    if (!file.empty()) return true;
  }
  for (const AlignmentOutput& output : alignment_outputs(options)) {
    if (shows_confidence(*output.format)) return true;
  }
  return false;
}

void log_stage(const StageRecord& stage) {
  char line[160];
  std::snprintf(line, sizeof line, "%-12s %9.3f s  %s", stage.name.c_str(), stage.seconds,
                stage.detail.c_str());
  log_verbose(line);
}

void log_cost(const RunCost& cost) {
  char line[160];
  std::snprintf(line, sizeof line,
                "accord " ACCORD_VERSION "  total %.3f s, cpu %.3f s, peak memory %.1f MiB",
                cost.wall_seconds, cost.cpu_seconds,
                static_cast<double>(cost.peak_bytes) / (1024.0 * 1024.0));
  log_verbose(line);
}

/// Everything that a run writes. The alignment comes last: what is on stdout is there only if all
/// else was written.
std::vector<OutputText> texts_of(const AlignOptions& options, const SequenceSet& set,
                                 const AlignSettings& settings, const AlignResult& result,
                                 const DeviceUse& use, const RunCost& cost) {
  const OutputOptions& output = options.output;
  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  std::vector<OutputText> texts;
  if (!output.tree.empty()) texts.push_back({output.tree, format_newick(result.tree, set)});
  if (!output.distances.empty()) {
    texts.push_back({output.distances, format_distances(result.distances, set)});
  }
  std::string report;
  if (!output.report.empty() || !output.html.empty()) {
    report = format_report(options, set, settings, result, use, cost);
  }
  if (!output.report.empty()) texts.push_back({output.report, report});
  if (!output.multiqc.empty()) {
    texts.push_back({output.multiqc, format_multiqc(options, set, result, use, cost)});
  }
  if (!output.confidence.empty()) {
    texts.push_back({output.confidence, format_confidence(set, result.msa, *confidence)});
  }
  if (!output.html.empty()) {
    const AlignmentText rows =
        make_alignment_text(set, result.msa, confidence, {output.upper_case, &result.tree});
    texts.push_back({output.html, format_page(family_label(options.input), rows,
                                              confidence->mean, result.tree, report)});
  }
  const AlignmentText alignment = make_alignment_text(
      set, result.msa, confidence, {output.upper_case, output.tree_order ? &result.tree : nullptr});
  for (const AlignmentOutput& file : alignment_outputs(output)) {
    texts.push_back({file.file, format_alignment(alignment, *file.format, output.wrap)});
  }
  return texts;
}

void run_align(const AlignOptions& options) {
  const Timer timer;
  apply_common(options.messages, options.compute);
  const OutputOptions& output = options.output;
  check_outputs(files_of(output));
  // Before the sequences are read, so that kernels are compiled meanwhile.
  const OpenBackends backends = open_backends(options.compute);
  const SequenceSet set = read_family(options.input);
  AlignSettings settings = make_settings(options.method, set.type());
  settings.confidence = needs_confidence(output);
  check_memory(set, settings, thread_count(), memory_budget(options.compute.memory));
  if (settings.parameters.consistency.rounds > 0 && set.size() > 2) backends.announce_relax();
  const std::unique_ptr<Scheduler> scheduler = backends.scheduler();
  log_family(set, options, backends.names());
  log_detail("parameters   " + format_parameters(options, settings));

  const AlignResult result = [&] {
    ProgressMeter progress(progress_style(options.messages));
    scheduler->show_in(progress);
    return align_family(set, settings, *scheduler, {log_stage, &progress});
  }();
  warn_of(scheduler->faults());

  const RunCost cost{timer.seconds(), process_cpu_seconds(), process_peak_bytes()};
  const DeviceUse use{backends.names(), scheduler->faults()};
  write_outputs(texts_of(options, set, settings, result, use, cost));
  log_cost(cost);
}

}  // namespace

Command align_command(std::shared_ptr<AlignOptions> options) {
  Command command{.name = "align",
                  .arguments = "IN...",
                  .summary = "align the sequences of IN",
                  .description =
                      "Aligns the sequences of IN (FASTA, CLUSTAL, Stockholm, PHYLIP or MSF; gaps "
                      "are removed; '-' is stdin, gzip is fine), and writes the alignment to "
                      "stdout. Several inputs are read as one family. Rows are in the order of "
                      "the input, every letter keeps its case. The word 'align' may be left "
                      "out.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_output_options(command.options, options->output);
  add_method_options(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    run_align(*options);
  };
  return command;
}

}  // namespace accord
