// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/io/confidence_writer.hpp"
#include "accord/io/distance_writer.hpp"
#include "accord/io/newick.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/sha256.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"
#include "accord/report/html_page.hpp"
#include "accord/report/report.hpp"

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
                                    options.confidence, options.html,      options.multiqc,
                                    options.name_map};
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

/// What a run writes, with what the report says of it.
class RunOutputs {
 public:
  /// `needs_digests` says that the report needs check sums.
  explicit RunOutputs(bool needs_digests) : needs_digests_(needs_digests) {}

  void add(const std::string& kind, const std::string& path, std::string text,
           const std::string& format = {}) {
    if (path.empty()) return;
    outputs_.push_back(make_output(path, std::move(text)));
    const std::string& bytes = outputs_.back().bytes;
    written_.push_back({kind, format, {path, bytes.size(), needs_digests_ ? sha256(bytes) : ""}});
  }
  /// The same without a check sum, for what tells of itself.
  void announce(const std::string& kind, const std::string& path) {
    if (!path.empty()) written_.push_back({kind, {}, {path, 0, {}}});
  }

  const std::vector<WrittenFile>& written() const { return written_; }
  /// The files in the order in which they are written. The alignment comes last: what is on stdout
  /// is there only if all else was written.
  std::vector<Output> take() {
    std::reverse(outputs_.begin(), outputs_.end());
    return std::move(outputs_);
  }

 private:
  bool needs_digests_;
  std::vector<Output> outputs_;
  std::vector<WrittenFile> written_;
};

bool needs_report(const OutputOptions& output) {
  return !output.report.empty() || !output.html.empty();
}

/// Everything that a run writes.
std::vector<Output> outputs_of(AlignRun run) {
  const OutputOptions& options = run.options.output;
  const AlignResult& result = run.result;
  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  RunOutputs outputs(needs_report(options));
  const AlignmentText alignment =
      make_alignment_text(run.set, result.msa, confidence,
                          {options.upper_case, options.tree_order ? &result.tree : nullptr});
  for (const AlignmentOutput& file : alignment_outputs(options)) {
    outputs.add("alignment", file.file, format_alignment(alignment, *file.format, options.wrap),
                std::string(name_of(*file.format)));
  }
  if (!options.name_map.empty()) {
    outputs.add("name-map", options.name_map, format_name_map(alignment));
  }
  if (!options.tree.empty()) {
    outputs.add("tree", options.tree, format_newick(result.tree, run.set));
  }
  if (!options.distances.empty()) {
    outputs.add("distances", options.distances, format_distances(result.distances, run.set));
  }
  if (!options.multiqc.empty()) {
    outputs.add("multiqc", options.multiqc,
                format_multiqc(run.options, run.set, result, run.use, run.cost));
  }
  if (!options.confidence.empty()) {
    outputs.add("confidence", options.confidence,
                format_confidence(run.set, result.msa, *confidence));
  }
  if (!options.html.empty()) {
    run.outputs = outputs.written();  // the page cannot hold a report with its own check sum
    const AlignmentText rows =
        make_alignment_text(run.set, result.msa, confidence, {options.upper_case, &result.tree});
    outputs.add("html", options.html,
                format_page(family_label(run.options.input), rows, confidence->mean, result.tree,
                            format_report(run)));
  }
  if (!options.report.empty()) {
    RunOutputs with_report = outputs;
    with_report.announce("report", options.report);
    run.outputs = with_report.written();
    outputs.add("report", options.report, format_report(run));
  }
  return outputs.take();
}

void run_align(const AlignOptions& options) {
  const Timer timer;
  apply_common(options.messages, options.compute);
  const OutputOptions& output = options.output;
  check_outputs(files_of(output));
  // Before the sequences are read, so that kernels are compiled meanwhile.
  const OpenBackends backends =
      open_backends(options.compute, {BackendStage::posteriors}, input_work(options.input));
  if (options.method.tree == TreeMethod::neighbor_joining) backends.announce(BackendStage::join);
  std::vector<FileDigest> inputs;
  const SequenceSet set = read_family(options.input, needs_report(output) ? &inputs : nullptr);
  AlignSettings settings = make_settings(options.method, set.type());
  settings.confidence = needs_confidence(output);
  const std::optional<std::size_t> budget = memory_budget(options.compute.memory);
  check_memory(set, settings, thread_count(), budget);
  if (settings.parameters.consistency.rounds_for(set.size()) > 0) {
    backends.announce(BackendStage::relax);
  }
  const std::unique_ptr<Scheduler> scheduler = backends.scheduler();
  log_family(set, options, backends.names());
  log_detail("parameters   " + format_parameters(options, set, settings));

  const AlignResult result = [&] {
    ProgressMeter progress(progress_style(options.messages));
    return align_family(set, settings, *scheduler, {log_stage, &progress});
  }();
  warn_of(scheduler->faults());

  const RunCost cost{timer.seconds(), process_cpu_seconds(), process_peak_bytes()};
  const DeviceUse use{backends.used, backends.names(), scheduler->faults(), budget};
  write_outputs(outputs_of({options, set, settings, result, use, cost, std::move(inputs), {}}));
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
