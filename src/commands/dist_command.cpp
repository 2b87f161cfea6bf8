// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/io/distance_writer.hpp"
#include "accord/io/output_file.hpp"
#include "accord/method/estimate.hpp"
#include "accord/method/pipeline.hpp"

namespace accord {
namespace {

struct DistOptions {
  FamilySource input;
  std::string output = "-";
  std::optional<DistanceFormat> format;
  MethodChoices method;
  ComputeOptions compute;
  MessageOptions messages;
};

void run_dist(const DistOptions& options) {
  start_run(options.messages, options.compute);
  check_outputs({options.output}, options.input.files);
  Computation computation(options.compute, options.messages, {BackendStage::posteriors},
                          input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  const AlignSettings settings = make_settings(options.method, set.type());
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::distances);
  const DistanceMatrix distances =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return compute_distances(set, settings, scheduler, &progress);
      });
  const DistanceFormat format =
      options.format ? *options.format : distance_format_of_suffix(options.output);
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
                      "the shorter sequence; in [0, 1].\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  command.options.push_back(
      {.name = "out",
       .letter = 'o',
       .value = "FILE",
       .help = "write the distances here (-, which is stdout)",
       .topic = OptionTopic::output,
       .common = true,
       .set = [options](const std::string& file) { options->output = file; }});
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
  add_model_options(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    run_dist(*options);
  };
  return command;
}

}  // namespace accord
