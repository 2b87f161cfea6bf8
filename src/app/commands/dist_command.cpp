// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "base/parallel.hpp"
#include "io/aligned_reader.hpp"
#include "io/distance_writer.hpp"
#include "io/files/output_file.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "tools/identity.hpp"

namespace accord {
namespace {

struct DistOptions : RunOptions {
  std::string output = "-";
  std::optional<DistanceFormat> format;
  bool is_aligned = false;  ///< the input is an alignment
  bool percent_identity = false;
  MethodOptions method;
};

/// The text of the matrix of rows, by their identity.
std::string format_identity(const DistOptions& options, const std::vector<std::string>& rows,
                            const SequenceSet& set, DistanceFormat format) {
  return format_distances(
      identity_distances(rows, set), set, format,
      options.percent_identity ? DistanceUnit::percent_identity : DistanceUnit::distance);
}

std::string distances_of_alignment(const DistOptions& options, DistanceFormat format) {
  if (options.input.files.size() > 1) {
    usage_error("--aligned: more than one alignment", "name one file");
  }
  const AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  return format_identity(options, aligned.rows, aligned.set, format);
}

/// The identities in the alignment that 'accord align' gives.
std::string identities_of_family(const DistOptions& options, const SequenceSet& set,
                                 const AlignSettings& settings, Computation& computation,
                                 DistanceFormat format) {
  check_memory(set, settings, thread_count(), memory_budget(options.compute));
  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(set, settings, scheduler, {.progress = &progress});
  });
  return format_identity(options, make_alignment_text(set, result.msa).rows, set, format);
}

void run_dist(const DistOptions& options) {
  start_run(options, input_files(options, options.method), {options.output});
  const DistanceFormat format =
      options.format ? *options.format : distance_format_of_suffix(options.output);
  if (options.is_aligned) {
    return write_output(options.output, distances_of_alignment(options, format));
  }
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  const AlignSettings settings = make_settings(options.method, set.type());
  if (options.percent_identity) {
    return write_output(options.output,
                        identities_of_family(options, set, settings, computation, format));
  }
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::distances);
  const DistanceMatrix distances =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return compute_distances(set, settings, scheduler, &progress);
      });
  write_output(options.output, format_distances(distances, set, format));
}

}  // namespace

Command dist_command() {
  const auto options = std::make_shared<DistOptions>();
  Command command{.name = "dist",
                  .arguments = "IN...",
                  .summary = "distance matrix of IN",
                  .description =
                      "Writes the distances of all pairs of sequences of IN, in the order of the "
                      "input: 1 - the expected accuracy of the pairwise alignment, which is the "
                      "largest sum of posterior probabilities of an alignment over the length of "
                      "the shorter sequence; in [0, 1]. With --aligned IN is an alignment, and the "
                      "distance is 1 - the identity: the share of the columns in which both rows "
                      "have a residue that are the same letter. With --percent-id the figures are "
                      "identities in per cent, in the alignment that 'accord align' gives or that "
                      "IN is.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_text_output_option(command.options, "the distances", options->output);
  command.options.push_back(
      {.name = "format",
       .letter = 'f',
       .value = "FORMAT",
       .help =
           "phylip (square), phylip-lower, tsv or csv (by the suffix of the output, else phylip)",
       .topic = OptionTopic::output,
       .common = true,
       .set = [options](const std::string& text) {
         options->format = distance_format_named(text);
         if (options->format) return;
         throw Error(ErrorKind::usage, "--format " + text + ": unknown format",
                     "use phylip, phylip-lower, tsv or csv");
       }});
  command.options.push_back({.name = "aligned",
                             .help = "IN is an alignment; its gaps are kept",
                             .topic = OptionTopic::input,
                             .common = true,
                             .set = flag_in(options->is_aligned)});
  command.options.push_back(
      {.name = "percent-id",
       .help = "identities in per cent, 100 (1 - distance), instead of distances",
       .topic = OptionTopic::output,
       .common = true,
       .set = flag_in(options->percent_identity)});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_dist);
  return command;
}

}  // namespace accord
