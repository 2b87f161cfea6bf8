// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <optional>

#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "run/align_run.hpp"
#include "tools/identity.hpp"

namespace accord {
namespace {

struct StatsOptions : RunOptions {
  std::string output = "-";
  bool confidence = false;
  std::optional<IdentityOver> over;
  MethodOptions method;
};

std::string format_share(double share) {
  return std::isnan(share) ? "NA" : formatted("%.4f", share);
}

std::string line_of(const AlignedFamily& aligned, IdentityOver over, double confidence) {
  const SequenceSet& set = aligned.set;
  std::size_t residues = 0;
  for (std::size_t x = 0; x < set.size(); ++x) residues += set.length(x);
  const double cells = static_cast<double>(set.size()) * static_cast<double>(aligned.columns());
  const double gaps = cells > 0 ? 1 - static_cast<double>(residues) / cells : std::nan("");
  std::string line = aligned.label;
  for (const std::string& field :
       {std::string(format_name(aligned.format)), std::string(to_string(set.type())),
        std::to_string(set.size()), std::to_string(aligned.columns()), std::to_string(residues),
        std::to_string(set.length(set.size() - 1)), std::to_string(set.length(0)),
        format_share(gaps), format_share(mean_identity(aligned.rows, set.type(), over)),
        format_share(confidence)}) {
    line += '\t' + field;
  }
  return line + '\n';
}

void run_stats(const StatsOptions& options) {
  start_run(options, input_files(options, options.method), {options.output});
  std::optional<RunDevices> devices;
  if (options.confidence) {
    devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  }
  std::string text =
      "alignment\tformat\ttype\tsequences\tcolumns\tresidues\tshortest\tlongest\tgaps\tidentity\t"
      "confidence\n";
  for (const std::string& file : options.input.files) {
    const AlignedFamily aligned = read_aligned(file, options.input);
    double confidence = std::nan("");
    if (devices) {
      const AlignSettings settings = make_settings(options.method, aligned.set.type());
      confidence = with_progress(options, *devices, [&](const RunContext& context) {
        return run::confidence(aligned, used_columns(aligned), settings, context).mean;
      });
    }
    text += line_of(aligned, options.over.value_or(IdentityOver::aligned), confidence);
  }
  write_output(options.output, text);
}

}  // namespace

Command stats_command() {
  const auto options = std::make_shared<StatsOptions>();
  options->input.shows_names = false;
  Command command{
      .name = "stats",
      .arguments = "MSA...",
      .summary = "size, gaps and identity of alignments",
      .description =
          "Writes a table with a line for each alignment: name, format, type, sequences, "
          "columns, residues, the lengths of the shortest and the longest sequence, the share of "
          "gaps, the identity, and with --mean-confidence the confidence (see 'accord "
          "confidence'). NA stands for a value that is not known.\n"
          "\n" +
          describe_identity() +
          " Of an alignment both numbers are summed over all pairs of rows before they are "
          "divided.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_text_output_option(command.options, "the table", options->output);
  add_identity_option(command.options, options->over);
  command.options.push_back(
      {.name = "mean-confidence",
       .help = "compute the confidence, too, which takes about as long as aligning",
       .topic = OptionTopic::output,
       .common = true,
       .set = flag_in(options->confidence)});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_stats);
  return command;
}

}  // namespace accord
