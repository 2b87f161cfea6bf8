// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "io/aligned_reader.hpp"
#include "io/distance_writer.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
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
  std::optional<IdentityOver> over;
  MethodOptions method;
};

/// Refuses an output whose suffix is that of a format which distances are not written in.
void check_suffix(const DistOptions& options) {
  const std::optional<AlignmentFormat> named = format_of_suffix(options.output);
  if (options.format || !named || *named == AlignmentFormat::phylip) return;
  usage_error(
      "-o " + options.output + ": no distances are written as " + std::string(format_name(*named)),
      "say which format with -f, or use the suffix .phy, .tsv or .csv");
}

/// Says of which pairs nothing is known.
void warn_of_unknown(const DistanceMatrix& distances, const SequenceSet& set) {
  std::size_t pairs = 0;
  std::string first;
  for (std::size_t l = 1; l < set.size(); ++l) {  // in the order of the input
    for (std::size_t k = 0; k < l; ++k) {
      const std::size_t x = set.from_input(k), y = set.from_input(l);
      if (!std::isnan(distances.at(x, y)) || ++pairs > 1) continue;
      first = quote(set.name(x)) + " and " + quote(set.name(y));
    }
  }
  if (pairs == 0) return;
  log_warning("NA: " + std::to_string(pairs) +
                  (pairs == 1 ? " pair of rows has" : " pairs of rows have") +
                  " no column to compare, such as " + first,
              "leave one of them out for programs that take numbers only");
}

/// The text of the matrix of rows, by their identity.
std::string format_identity(const DistOptions& options, const std::vector<std::string>& rows,
                            const SequenceSet& set, DistanceFormat format) {
  const DistanceMatrix distances =
      identity_distances(rows, set, options.over.value_or(IdentityOver::aligned));
  warn_of_unknown(distances, set);
  return format_distances(
      distances, set, format,
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
  return format_identity(options, make_alignment_text(set, result.msa).rows.texts(), set, format);
}

void run_dist(const DistOptions& options) {
  if (options.over && !options.is_aligned && !options.percent_identity) {
    usage_error("--identity-over without an identity: these distances are of posteriors",
                "add --percent-id or --aligned");
  }
  check_suffix(options);
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
                      "distance is 1 - the identity. With --percent-id the figures are identities "
                      "in per cent, in the alignment that 'accord align' gives or that IN is.\n"
                      "\n" +
                      describe_identity() + "\n",
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
  add_identity_option(command.options, options->over);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_dist);
  return command;
}

}  // namespace accord
