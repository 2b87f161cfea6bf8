// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>

#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/aligned_confidence.hpp"
#include "app/commands/commands.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "io/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "tools/columns.hpp"

namespace accord {
namespace {

struct TrimOptions : RunOptions {
  OutputOptions output;
  std::optional<double> most_gaps, least_confidence, mask;
  std::string map;
  MethodOptions method;
};

/// A share of 0 to 1 for an option.
double parse_share(const std::string& option, const std::string& text) {
  double value = -1;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(value >= 0 && value <= 1)) {
    usage_error("--" + option + " " + text + ": no share", "use a number of 0 to 1, such as 0.5");
  }
  return value;
}

void run_trim(const TrimOptions& options) {
  const RunFiles files = run_files(options.output);
  std::vector<std::string> paths = paths_of(files);
  paths.push_back(options.map);
  start_run(options, input_files(options, options.method), paths);
  const AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  const std::vector<bool> used = used_columns(aligned), all(aligned.columns(), true);
  AlignmentText text;
  if (options.least_confidence || options.mask || needs_confidence(files)) {
    Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
    const Confidence confidence =
        confidence_of(aligned, all, options.method, memory_budget(options.compute), computation);
    text = text_of(aligned, {files.upper_case}, &confidence);
    if (options.mask) mask_residues(text, aligned.set, confidence, *options.mask);
  } else {
    text = text_of(aligned, {files.upper_case});
  }
  ColumnFilter filter;
  filter.least_confidence = options.least_confidence;
  constexpr double kMostGaps = 0.9;  // as scripts/studies/trim_trees.py found
  filter.most_gaps = options.most_gaps.value_or(options.least_confidence ? 1 : kMostGaps);
  std::vector<bool> kept = passing_columns(text, filter);
  for (std::size_t c = 0; c < kept.size(); ++c) kept[c] = kept[c] && used[c];
  const std::string map = format_column_map(text, kept);
  const std::size_t before = text.columns;
  keep_columns(text, kept);
  if (text.columns == 0) log_warning("no column is left", "see --max-gaps and --min-confidence");
  std::vector<Output> outputs = outputs_of(text, files);
  if (!options.map.empty()) outputs.push_back(make_output(options.map, map));
  write_outputs(std::move(outputs));
  log_verbose("kept " + std::to_string(text.columns) + " of " + std::to_string(before) +
              " columns");
}

void add_trim_options(OptionTable& table, TrimOptions& values) {
  const auto share_in = [](std::optional<double>& target, const char* option) {
    return [&target, option](const std::string& text) { target = parse_share(option, text); };
  };
  table.push_back({.name = "max-gaps",
                   .value = "X",
                   .help = "leave out columns in which a larger share of the rows has a gap (0.9; "
                           "with --min-confidence alone 1)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = share_in(values.most_gaps, "max-gaps")});
  table.push_back({.name = "min-confidence",
                   .value = "X",
                   .help = "leave out columns of less confidence, and those of a single residue",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = share_in(values.least_confidence, "min-confidence")});
  table.push_back({.name = "mask",
                   .value = "X",
                   .help = "write residues of less confidence in lower case, all others in upper "
                           "case",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = share_in(values.mask, "mask")});
  table.push_back({.name = "map",
                   .value = "FILE",
                   .help = "write the number of each column before and after here (TSV)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(values.map)});
}

}  // namespace

Command trim_command() {
  const auto options = std::make_shared<TrimOptions>();
  Command command{
      .name = "trim",
      .arguments = "MSA",
      .summary = "MSA without gappy or uncertain columns",
      .description =
          "Removes the columns that have too many gaps or too little confidence (see 'accord "
          "confidence') from an alignment, whichever program made it. --mask 0 to 1 writes "
          "uncertain residues in lower case; --max-gaps 1 --mask X only masks.\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_format_options(command.options, options->output);
  add_trim_options(command.options, *options);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_trim);
  return command;
}

}  // namespace accord
