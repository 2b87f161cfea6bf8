// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/family_shards.hpp"
#include "io/families/given_alignments.hpp"
#include "io/files/output_file.hpp"
#include "run/combine_run.hpp"
#include "run/family/prepared_family.hpp"
#include "run/shard_run.hpp"

namespace accord {
namespace {

struct AddOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  bool keep_columns = false;
  std::optional<Shard> shard;  ///< of a family with a core
};

/// The path of the part that --shard writes.
/// Throws  Error{usage} for options that the core has settled, and for options of an alignment.
std::string part_path(const AddOptions& options) {
  const FamilySource& input = options.input;
  const OutputOptions& output = options.output;
  const RunFiles& files = output.files;
  const bool says_how = input.reading.format || input.reading.lenient || input.type ||
                        input.adjust_direction || input.most_sequences || input.most_residues ||
                        input.track.has_tracks() || input.track.table || input.track.weight ||
                        !options.method.is_empty();
  const bool writes_more =
      options.keep_columns || output.alignments.size() > 1 || !output.formats.empty() ||
      files.wrap || files.letter_case != LetterCase::keep ||
      std::ranges::any_of(paths_of(files), [](const auto& path) { return !path.empty(); });
  std::string path = output.alignments.empty() ? "-" : output.alignments.front().path;
  if (!says_how && !writes_more &&
      (output.alignments.empty() || !output.alignments.front().format)) {
    return path;
  }
  throw Error(ErrorKind::usage,
              "--shard with options of input, output or method: the core has them, and a part is "
              "no alignment",
              "give them to 'accord core' and 'accord join'; --shard takes -o FILE");
}

/// Places a shard of a family in its core, the first of the files.
void add_shard(const AddOptions& options, const Shard& shard) {
  const std::string output = part_path(options);
  start_run(options, input_files(options), {output});
  const std::vector<std::string>& inputs = options.input.files;
  const CoreFile core = read_core(inputs.front());
  FamilySource family = core.source;
  family.files.assign(inputs.begin() + 1, inputs.end());
  RunDevices devices = open_devices(options, {&PosteriorCall::stage},
                                    input_seconds(family) / static_cast<double>(shard.count));
  const PartFile part = with_progress(options, devices, [&](const RunContext& context) {
    return run::place_shard(core, inputs.front(), family, shard, output, context);
  });
  write_outputs({part_output(part, core.msa.columns)});
}

void run_add(const AddOptions& options) {
  if (options.shard) return add_shard(options, *options.shard);
  const CostMeter meter(memory_budget(options.compute));
  if (!options.output.files.left_out.empty() && !options.keep_columns) {
    throw Error(ErrorKind::usage, "--left-out without --keep-columns: nothing is left out",
                "give both, or neither");
  }
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files), {files.report, "add"});
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  const std::vector<std::string>& inputs = options.input.files;
  const GivenAlignments given({inputs.front()}, {inputs.begin() + 1, inputs.end()}, options.input,
                              needs_checksums(files));
  const AlignSettings settings =
      family_settings(given.input(), options.method, needs_confidence(files));
  const CombinedAlignment added = with_progress(options, devices, [&](const RunContext& context) {
    return run::add(given, settings, context);
  });
  const DeviceUse use = devices.use();
  write_files({"add", given, settings, options.keep_columns, added, use, meter}, files);
}

}  // namespace

Command add_command() {
  const auto options = std::make_shared<AddOptions>();
  Command command{
      .name = "add",
      .arguments = "MSA NEW...",
      .summary = "add the sequences of NEW to the alignment MSA",
      .description =
          "Adds sequences or fragments to an alignment. The rows of MSA stay as they are, in "
          "their order, and keep their columns; the new sequences follow. Each of them is "
          "aligned with the rows that are most like it, and its residues stand in the columns of "
          "the residues that they are aligned with. Residues that fit no column of MSA get new "
          "columns, in which the rows of MSA have gaps.\n"
          "\n"
          "With --keep-columns there are no new columns: residues without a column are left out, "
          "a warning says how many, and --left-out FILE lists them (TSV: sequence, first and "
          "last residue from 1, letters). The formats a2m and a3m have them in lower case.\n"
          "\n"
          "The confidence ('accord help confidence') is that of the pairs of a new sequence with "
          "the rows that it was aligned with; the rows of MSA have none. 'accord confidence' "
          "judges the whole alignment.\n"
          "\n"
          "With --adjust-direction nucleotides of NEW are turned round that share more with the "
          "rows of MSA and with each other that way; the rows stay as they are. Without it a "
          "warning says which look like reverse complements.\n"
          "\n"
          "--track has the tracks of the rows of MSA and of the new sequences.\n"
          "\n"
          "Names must differ; a name that occurs twice is an error.\n"
          "\n"
          "With --shard I/N, MSA is a core ('accord help core'), NEW the family that it was made "
          "of, and -o the part that 'accord join' makes the alignment of.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_direction_option(command.options, options->input);
  add_track_options(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  command.options.push_back({.name = "keep-columns",
                             .help = "no new columns: residues that fit no column are left out",
                             .topic = OptionTopic::output,
                             .set = flag_in(options->keep_columns)});
  command.options.push_back({.name = "left-out",
                             .value = "FILE",
                             .help = "list the residues that are left out here (TSV)",
                             .topic = OptionTopic::output,
                             .set = keep_in(options->output.files.left_out)});
  command.options.push_back({.name = "map",
                             .value = "FILE",
                             .help = "write the column of MSA of each residue of NEW here, as "
                                     "--mapout of MAFFT: letter, place in NEW, column, from 1; - "
                                     "for a residue in no column of MSA",
                             .topic = OptionTopic::output,
                             .set = keep_in(options->output.files.map)});
  command.options.push_back(
      {.name = "shard",
       .value = "I/N",
       .help = "place the part I of N of the family NEW in its core MSA",
       .topic = OptionTopic::compute,
       .set = [options](const std::string& text) { options->shard = parse_shard(text); }});
  add_report_option(command.options, options->output.files.report);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_add);
  return command;
}

}  // namespace accord
