// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "run/align_run.hpp"
#include "run/report/result_page.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {
namespace {

/// The options of `accord trim`.
struct TrimOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  TrimRequest request;
  std::vector<std::string> others;  ///< alignments of the same sequences
  /// Paths of files; empty: not written. `map`: the number of each column before and after
  /// trimming. `left_out`: the removed rows and columns, with the reasons. `complement`: an
  /// alignment of the removed columns. `page`: a page of HTML that shows the whole alignment.
  std::string map, left_out, complement, page;
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

std::function<void(const std::string&)> share_in(std::optional<double>& target,
                                                 const char* option) {
  return [&target, option](const std::string& text) { target = parse_share(option, text); };
}

void add_selections(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  table.push_back(
      {.name = "columns",
       .value = "LIST",
       .help = "keep only these columns, numbered from 1: 5-90, or 5-90,120- (all)",
       .topic = kTopic,
       .common = true,
       .set = [&values](const std::string& text) { values.request.ranges = parse_columns(text); }});
  table.push_back({.name = "by-row",
                   .value = "ROW",
                   .help = "keep only the columns in which this row has a residue: its name, or "
                           "'first' for the first row",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.request.row)});
  table.push_back({.name = "max-row-gaps",
                   .value = "X",
                   .help = "leave out rows that have a gap in a larger share of these columns, "
                           "before columns are judged (1)",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.most_row_gaps, "max-row-gaps")});
}

void add_criteria(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  table.push_back({.name = "max-gaps",
                   .value = "X",
                   .help = "leave out columns in which a larger share of the rows has a gap (0.9; "
                           "1 with other options that choose columns or rows)",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.most_gaps, "max-gaps")});
  table.push_back({.name = "min-confidence",
                   .value = "X",
                   .help = "leave out columns of less confidence, and those of a single residue",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.least_confidence, "min-confidence")});
  table.push_back({.name = "min-consistency",
                   .value = "X",
                   .help = "leave out columns if the alignments of --among have a smaller "
                           "share of the pairs, and those of a single residue",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.least_consistency, "min-consistency")});
  table.push_back({.name = "among",
                   .value = "FILE",
                   .help = "another alignment of these sequences, for --min-consistency; may be "
                           "given again",
                   .topic = OptionTopic::input,
                   .repeatable = true,
                   .common = true,
                   .dash = Dash::input,
                   .set = [&values](const std::string& file) { values.others.push_back(file); }});
  table.push_back({.name = "ends",
                   .help = "leave out columns at the two ends alone, up to the first that passes",
                   .topic = kTopic,
                   .common = true,
                   .set = flag_in(values.request.ends_only)});
  table.push_back({.name = "codons",
                   .help = "three columns are a codon, which stays or goes as a whole",
                   .topic = kTopic,
                   .common = true,
                   .set = flag_in(values.request.whole_codons)});
  table.push_back({.name = "mask",
                   .value = "X",
                   .help = "write residues of less confidence in lower case, all others in upper "
                           "case",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.mask, "mask")});
}

void add_outputs(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "keep-names",
                   .help = "leave numbers in names such as NAME/12-80 as they are; else they are "
                           "those of the residues that are left",
                   .topic = kTopic,
                   .set = flag_in(values.request.keeps_names)});
  table.push_back({.name = "complement",
                   .value = "FILE",
                   .help = "write the columns that are left out here, in the format of the suffix",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.complement)});
  table.push_back({.name = "map",
                   .value = "FILE",
                   .help = "write the number of each column before and after here, and why it went "
                           "(TSV)",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.map)});
  table.push_back({.name = "left-out",
                   .value = "FILE",
                   .help = "write rows and ranges of columns that went here, and why (TSV)",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.left_out)});
  table.push_back({.name = "html",
                   .value = "FILE",
                   .help = "write a page that shows the whole alignment, with the columns faded "
                           "that go",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.page)});
}

/// Adds to `table` the options that only `accord trim` has. An option stores its value in `values`,
/// which must outlive the table.
void add_trim_options(OptionTable& table, TrimOptions& values) {
  add_selections(table, values);
  add_criteria(table, values);
  add_outputs(table, values);
}

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
    RunDevices devices =
        open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
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
  request.letter_case = files.letter_case;
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
