// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/parallel.hpp"
#include "io/files/output_file.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"
#include "run/verify_run.hpp"

namespace accord {
namespace {

struct VerifyOptions : RunOptions {
  std::vector<std::string> more_inputs;
  std::string output = "-";
  bool again = false;
  MethodOptions method;
};

/// The files of the line.
struct VerifyFiles {
  std::vector<std::string> inputs;
  std::string alignment, report;  ///< report: empty if there is none
};

VerifyFiles files_of(const VerifyOptions& options) {
  const std::vector<std::string>& files = options.input.files;
  VerifyFiles named{{files[0]}, files[1], files.size() > 2 ? files[2] : ""};
  named.inputs.insert(named.inputs.end(), options.more_inputs.begin(), options.more_inputs.end());
  return named;
}

run::Verification verify(const VerifyOptions& options, const run::StatedAlignment& stated) {
  if (!options.again) return run::verify(stated, nullptr);
  RunDevices devices = open_devices(options, first_stages(stated.family.settings.options),
                                    estimate_seconds(stated.family, thread_count()));
  return with_progress(options, devices,
                       [&](const RunContext& context) { return run::verify(stated, &context); });
}

std::string table_of(const run::Verification& found) {
  std::string text = "check\tresult\tdetail\n";
  for (const run::VerifyCheck& check : found.checks) {
    text += check.name + (check.is_equal ? "\tequal\t" : "\tdiffers\t") + check.detail + '\n';
  }
  return text;
}

void run_verify(const VerifyOptions& options) {
  const VerifyFiles files = files_of(options);
  // The options of the line may need those of the report.
  std::vector<std::string> inputs = named_files(options, options.method);
  inputs.insert(inputs.end(), options.more_inputs.begin(), options.more_inputs.end());
  start_run(options, inputs, {options.output});
  const run::StatedAlignment stated = run::read_stated_alignment(
      files.inputs, files.alignment, files.report, options.method, options.input.track);
  const run::Verification found = verify(options, stated);
  write_output(options.output, table_of(found));
  if (found.difference.empty()) return;
  throw Error(ErrorKind::bad_input, stated.aligned.label + ": not verified: " + found.difference,
              stated.recorded || options.again
                  ? "the lines on standard output have all comparisons"
                  : "name the report that 'accord align --report' wrote, or align again with "
                    "--again");
}

}  // namespace

Command verify_command() {
  const auto options = std::make_shared<VerifyOptions>();
  Command command{
      .name = "verify",
      .arguments = "IN MSA [REPORT]",
      .summary = "whether MSA is accord's alignment of IN",
      .description =
          "Compares the alignment MSA with its input IN, and with the report that 'accord align "
          "--report' wrote. Prints a line for each comparison; the exit code is 0 if all are "
          "equal, and else 65, with the first difference on stderr.\n"
          "\n"
          "rows: each row without its gaps is a sequence of IN, and each sequence has a row; the "
          "order of rows, the case of letters and the format of MSA do not matter. input: the "
          "files of IN have the SHA-256 of the report. version: this is the program of the report. "
          "parameters: this program has the parameters of the report for its options. "
          "alignment: the letters and gaps of MSA have the SHA-256 of the report "
          "(result_sha256), which is the same for all devices, formats and orders of rows. again, "
          "with --again: accord aligns IN once more, and makes the same rows.\n"
          "\n"
          "IN is read, and aligned again, with the options that the report records. An option of "
          "the method on the line stands in place of the recorded one, and shows whether the "
          "report has it. The report does not contain the files of a guide tree and of tracks: "
          "name them with --tree, --track and --track-matrix. Without a report, --again aligns "
          "with the options of the line.\n",
      .least_files = 2,
      .most_files = 3};
  command.options.push_back(
      {.name = "also",
       .value = "FILE",
       .help = "another file of the input, behind IN; may be given again",
       .topic = OptionTopic::input,
       .repeatable = true,
       .common = true,
       .dash = Dash::input,
       .set = [options](const std::string& file) { options->more_inputs.push_back(file); }});
  command.options.push_back({.name = "again",
                             .help = "align the input again and compare the rows",
                             .topic = OptionTopic::method,
                             .common = true,
                             .set = flag_in(options->again)});
  add_text_output_option(command.options, "the comparisons", options->output);
  add_track_options(command.options, options->input);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_verify);
  return command;
}

}  // namespace accord
