// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "io/families/input_alignment.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/formats.hpp"
#include "io/trees/distance_writer.hpp"
#include "run/distance_run.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

struct DistOptions : RunOptions {
  std::string output = "-";
  std::optional<DistanceFormat> format;
  run::DistanceQuery query;
  MethodOptions method;
};

/// Refuses options that exclude each other, and an output whose suffix is that of a format in which
/// no distances are written.
void check_options(const DistOptions& options) {
  if (options.input.files.size() > 1 && options.query.is_aligned) {
    usage_error("--aligned: more than one alignment", "name one file");
  }
  const std::optional<AlignmentFormat> named = format_of_suffix(options.output);
  if (options.format || !named || *named == AlignmentFormat::phylip) return;
  usage_error(
      "-o " + options.output + ": no distances are written as " + std::string(format_name(*named)),
      "say which format with -f, or use the suffix .phy, .tsv or .csv");
}

/// Computes the distances of a family, and returns their text.
std::string distances_of_family(const DistOptions& options, std::vector<InputText> inputs,
                                DistanceFormat format) {
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  const PreparedFamily family =
      prepare_family(family_of_inputs(options.input, std::move(inputs)), options.method, false);
  const DistanceMatrix distances = with_progress(
      options, devices,
      [&](const RunContext& context) {
        return run::family_distances(family, options.query, context);
      },
      nullptr);
  return format_distances(distances, family.set(), format, options.query.unit());
}

/// Computes the distances of an alignment, and returns their text.
std::string distances_of_rows(const run::DistanceQuery& query, const InputAlignment& aligned,
                              DistanceFormat format) {
  const DistanceMatrix distances =
      column_distances(aligned.texts(), aligned.set, query.columns, aligned.label);
  return format_distances(distances, aligned.set, format, query.unit());
}

void run_dist(const DistOptions& options) {
  check_options(options);
  start_run(options, input_files(options, options.method), {options.output});
  const DistanceFormat format =
      options.format ? *options.format : distance_format_of_suffix(options.output);
  RowsOrSequences read = read_for_distances(options, options.method, options.query.is_aligned);
  run::DistanceQuery query = options.query;
  query.is_aligned = read.aligned.has_value();
  query.check();
  write_output(options.output, read.aligned
                                   ? distances_of_rows(query, *read.aligned, format)
                                   : distances_of_family(options, std::move(read.inputs), format));
}

}  // namespace

Command dist_command(const OtherDistanceModels* others) {
  const auto options = std::make_shared<DistOptions>();
  options->query.columns.others = others;
  Command command{
      .name = "dist",
      .arguments = "IN...",
      .summary = "distance matrix of IN",
      .description =
          "Writes the distances of all pairs of sequences of IN, in the order of the "
          "input: 1 - the expected accuracy of the pairwise alignment, which is the "
          "largest sum of posterior probabilities of an alignment over the length of "
          "the shorter sequence; in [0, 1]. If IN is a finished alignment, rows of one "
          "length with gaps, the distance is 1 - the identity in it; --aligned takes "
          "rows without gaps as an alignment, too, and --gaps remove or an option of "
          "the method aligns the sequences anew. With --percent-id the figures are identities "
          "in per cent, in the alignment that 'accord align' gives or that IN is. So "
          "are distances of a --model. NA stands for pairs without a column to "
          "compare, and for those that differ more than the model can tell.\n"
          "\n" +
          describe_identity() +
          "\n\n"
          "Models: p is the share of columns that differ, snps their number, jc (Jukes "
          "and Cantor 1969), k80 (Kimura 1980) and tn93 (Tamura and Nei 1993, with the "
          "frequencies of the bases in all rows) of nucleotides, kimura (Kimura 1983) "
          "of proteins." +
          (others != nullptr ? " " + others->help : "") + "\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_text_output_option(command.options, "the distances", options->output);
  command.options.push_back({.name = "format",
                             .letter = 'f',
                             .value = "FORMAT",
                             .help = "phylip (square), phylip-lower, tsv, csv, or pairs, a line "
                                     "for each (by the suffix of the "
                                     "output, else phylip)",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = [options](const std::string& text) {
                               options->format = distance_format_named(text);
                               if (options->format) return;
                               throw Error(ErrorKind::usage,
                                           "--format " + text + ": unknown format",
                                           std::string("use ") + kDistanceFormats);
                             }});
  command.options.push_back(
      {.name = "aligned",
       .help = "IN is an alignment, which is taken as it is, even without gaps",
       .topic = OptionTopic::input,
       .common = true,
       .set = flag_in(options->query.is_aligned)});
  command.options.push_back(
      {.name = "model",
       .value = "MODEL",
       .help = "distances in columns: p, snps, jc, k80, tn93, kimura" +
               (others != nullptr ? ", or a model such as " + others->example + ", see above"
                                  : std::string()) +
               " (p with --aligned)",
       .topic = OptionTopic::method,
       .common = true,
       .set = keep_in(options->query.columns.model)});
  command.options.push_back(
      {.name = "unknown",
       .value = "WHAT",
       .help = "letters such as N and X in p and snps: ignore, or count, each as a letter of its "
               "own (ignore)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options->query.columns.counts_unknown, "unknown", "ignore", "count")});
  command.options.push_back(
      {.name = "percent-id",
       .help = "identities in per cent, 100 (1 - distance), instead of distances",
       .topic = OptionTopic::output,
       .common = true,
       .set = flag_in(options->query.percent_identity)});
  add_identity_option(command.options, options->query.columns.over);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_dist);
  return command;
}

}  // namespace accord
