// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/structure_records.hpp"
#include "method/structures/superposition.hpp"
#include "run/estimate/estimate.hpp"
#include "run/estimate/output_size.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

struct CheckOptions : RunOptions {
  MethodOptions method;
};

std::string format_seconds(double seconds) {
  return seconds < 1      ? "less than a second"
         : seconds < 120  ? formatted("%.0f s", seconds)
         : seconds < 7200 ? formatted("%.0f min", seconds / 60)
                          : formatted("%.1f h", seconds / 3600);
}

std::string line(const std::string& key, const std::string& value) {
  constexpr std::size_t kWidth = 11;
  return key + std::string(kWidth - key.size(), ' ') + value + "\n";
}

/// How a large family is aligned.
std::string large_text(const FamilyPlan& plan) {
  return plan.by_subsets ? "of at most " + counted(plan.backbone, "sequence") +
                               ", each aligned whole, then merged"
                         : counted(plan.backbone, "sequence") + ", the others are added to them";
}

/// The structures that are superposed, and the predicted models among them; nothing without them.
std::string structure_lines(const PreparedFamily& family, const Workload& work) {
  std::string text;
  const std::size_t structures = sequences_with_traces(family.set()).size();
  if (family.settings.superposes && structures > 0) {
    text += line("structures",
                 std::to_string(structures) + formatted(", %.3g cells", work.superposed_cells));
  }
  const PredictedModels models = predicted_models(family.set());
  if (models.models > 0) text += line("predicted", to_string(models));
  return text;
}

void run_check(const CheckOptions& options) {
  start_run(options, input_files(options, options.method), {});
  FamilySource source = options.input;
  // Those of structures, which align uses; local modes align their sequences alone.
  source.takes_track = !options.method.is_local();
  const PreparedFamily family = prepare_family(read_family(source), options.method, false);
  const FamilyInput& input = family.input;
  const SequenceSet& set = family.set();
  const AlignSettings& settings = family.settings;
  const Workload work = workload_of(family);
  const Sample sample = sample_family(set, settings);
  const auto need = static_cast<double>(estimate_memory(work, sample, settings, thread_count()));
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  const std::size_t problems = logged_warnings().size();

  std::string text = line("input", input.label);
  text += line("sequences", std::to_string(work.sequences));
  text += line(
      "type", std::string(to_string(set.type())) + (input.is_type_detected() ? " (detected)" : ""));
  text += line("lengths", std::to_string(set.length(set.size() - 1)) + "-" +
                              std::to_string(set.length(0)) + ", mean " +
                              std::to_string(work.residues / set.size()));
  if (work.backbone < work.sequences) {
    text += line(family.plan.by_subsets ? "subsets" : "backbone", large_text(family.plan));
    if (family.plan.fit) text += line("fit", "of a backbone: " + to_string(*family.plan.fit));
  }
  const OutputSize size =
      diverse_size(set.size(), static_cast<double>(set.coded().all_codes().size()), set.length(0));
  text += line("columns", formatted("at least %u; %.0f if the family is diverse", set.length(0),
                                    size.columns));
  text += line("output", "about " + format_bytes(size.bytes) + " as FASTA if it is diverse");
  text += line("pairs", std::to_string(work.pairs) + formatted(", %.3g cells", work.cells));
  text += structure_lines(family, work);
  text += line("memory", "about " + format_bytes(need) +
                             (budget ? " of " + format_bytes(static_cast<double>(*budget)) : ""));
  text += line("time", format_seconds(estimate_seconds(work, sample, settings, thread_count())) +
                           " on the host with " + counted(thread_count(), "thread") +
                           formatted(", within a factor of %.1f", kEstimateFactor) +
                           (sample.is_measured ? "" : " (from usual figures)"));
  text +=
      line("problems", problems == 0 ? "none" : std::to_string(problems) + ", see the warnings");
  write_output("-", text);
  if (is_wide(size)) {
    log_warning("the alignment will be wide if the family is diverse", narrower_formats());
  }
  check_memory(work, sample, settings, thread_count(), budget);
}

}  // namespace

Command check_command() {
  const auto options = std::make_shared<CheckOptions>();
  Command command{
      .name = "check",
      .arguments = "IN...",
      .summary = "problems, size, memory and time of IN",
      .description =
          "Reads IN and says what looks wrong with it, how large it is, and about "
          "how much memory and time aligning it takes on the host, writing included; "
          "aligns only a few pairs, on which these estimates rest. How wide the "
          "alignment becomes is that of simulated proteins with 40 % identical residues "
          "in a pair; alike sequences make it narrower. For ten families of 0.7 to 5 "
          "seconds the time was within the factor that is printed, the memory within "
          "a third. The exit code is 65 if the input is bad, 137 if it needs more "
          "memory than there is.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_check);
  return command;
}

}  // namespace accord
