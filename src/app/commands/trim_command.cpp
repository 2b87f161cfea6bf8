// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/trim_options.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "run/confidence_run.hpp"
#include "run/report/trim_page.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {
namespace {

/// The alignments of --among.
std::vector<AlignedRows> read_others(const TrimOptions& options) {
  std::vector<AlignedRows> others;
  FamilySource source = options.input;
  source.reading.format.reset();
  source.shows_names = false;
  for (const std::string& file : options.others) {
    others.push_back(named_rows(read_aligned(file, source)));
  }
  return others;
}

/// The function that computes the confidence; empty if neither a criterion nor a file needs it.
JudgeAlignment judge_of(const TrimOptions& options, const RunFiles& files) {
  if (!options.request.needs_confidence() && !needs_confidence(files)) return {};
  return [&options](const AlignedFamily& aligned) {
    RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_work(options.input));
    const AlignSettings settings = make_settings(options.method, aligned.set.type());
    return with_progress(options, devices, [&](const RunContext& context) {
      return run::confidence(aligned, std::vector<bool>(aligned.columns(), true), settings,
                             context);
    });
  };
}

/// The files beside the alignment; `complement` must outlive them.
std::vector<Output> outputs_beside(const TrimOptions& options, const std::string& label,
                                   const TrimmedAlignment& trimmed,
                                   const AlignmentText& complement) {
  std::vector<Output> outputs;
  if (!options.page.empty()) {
    outputs.push_back(make_output(options.page, page_of_losses(label, trimmed,
                                                               !options.method.has("parameters") &&
                                                                   !options.method.has("matrix"))));
  }
  if (!options.map.empty()) {
    outputs.push_back(make_output(
        options.map, format_column_map(trimmed.whole, trimmed.columns, trimmed.consistency)));
  }
  if (!options.left_out.empty()) {
    outputs.push_back(
        make_output(options.left_out, format_left_out(trimmed.rows, trimmed.columns)));
  }
  if (options.complement.empty()) return outputs;
  RunFiles files;
  files.alignments = {
      {options.complement, format_of_suffix(options.complement).value_or(AlignmentFormat::fasta)}};
  for (Output& output : outputs_of(complement, files)) outputs.push_back(std::move(output));
  return outputs;
}

/// Begins the run with all files of the line.
void start_trim(const TrimOptions& options, const RunFiles& files) {
  if (!options.complement.empty()) format_of_output("--complement", options.complement);
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.insert(inputs.end(), options.others.begin(), options.others.end());
  std::vector<std::string> outputs = paths_of(files);
  for (const std::string& path :
       {options.map, options.left_out, options.complement, options.page}) {
    outputs.push_back(path);
  }
  start_run(options, inputs, outputs);
}

void run_trim(const TrimOptions& options) {
  const RunFiles files = run_files(options.output);
  start_trim(options, files);
  AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  const std::size_t rows_before = aligned.rows.size();
  const std::string label = aligned.label;
  TrimRequest request = options.request;
  request.upper_case = files.upper_case;
  const TrimmedAlignment trimmed =
      trim_alignment(std::move(aligned), request, read_others(options), judge_of(options, files));
  const AlignmentText complement =
      options.complement.empty() ? AlignmentText() : complement_of(trimmed);
  std::vector<Output> outputs = outputs_of(trimmed.text, files);
  for (Output& output : outputs_beside(options, label, trimmed, complement)) {
    outputs.push_back(std::move(output));
  }
  write_outputs(std::move(outputs));
  log_verbose("kept " + std::to_string(trimmed.text.rows.size()) + " of " +
              counted(rows_before, "row") + ", " + counted_fates(trimmed.columns));
}

}  // namespace

Command trim_command() {
  const auto options = std::make_shared<TrimOptions>();
  Command command{
      .name = "trim",
      .arguments = "MSA",
      .summary = "MSA without gappy or uncertain columns",
      .description =
          "Removes the columns that have too many gaps, too little confidence (see 'accord "
          "confidence') or too little in common with other alignments (--among) from an alignment, "
          "whichever program made it. --mask 0 to 1 writes uncertain residues in lower case; "
          "--max-gaps 1 --mask X only masks.\n"
          "\n"
          "First --columns and --by-row say which columns are wanted. Then rows with too many gaps "
          "in these go (--max-row-gaps). The columns are judged by the rows that are left; columns "
          "of gaps alone always go, but for those inside a codon that stays (--codons).\n",
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
