// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"

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
  write_outputs(outputs_of(text, files));
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
  add_name_map_option(command.options, options->output.files.name_map);
  add_memory_option(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = with_files(options, run_convert);
  return command;
}

}  // namespace accord
