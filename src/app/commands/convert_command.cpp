// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/paths.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

struct ConvertOptions : RunOptions {
  OutputOptions output;
};

void run_convert(const ConvertOptions& options) {
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options), paths_of(files));
  const AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  const AlignmentText text = text_of(aligned, {files.letter_case});
  std::vector<Output> outputs = outputs_of(text, files);
  if (!files.html.empty()) {
    const PageParts parts{
        .title = file_name(aligned.label), .mean = std::nan(""), .is_confidence_of_trim = false};
    outputs.push_back(make_output(files.html, page_of(text, aligned.set, parts)));
  }
  write_outputs(std::move(outputs));
}

}  // namespace

Command convert_command() {
  const auto options = std::make_shared<ConvertOptions>();
  Command command{
      .name = "convert",
      .arguments = "MSA",
      .summary = "the alignment MSA in another format",
      .description =
          "Writes an alignment, whichever program made it, in the wanted formats, and changes "
          "nothing else: every row, column and letter stays. A warning says what a format has no "
          "place for, such as the markup of Stockholm. 'accord help formats' lists the formats.\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_replicate_option(command.options, options->input);
  add_format_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  add_name_map_option(command.options, options->output.files.name_map);
  add_memory_option(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = with_files(options, run_convert);
  return command;
}

}  // namespace accord
