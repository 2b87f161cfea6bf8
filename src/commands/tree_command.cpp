// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "accord/base/error.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/core/upgma.hpp"
#include "accord/io/distance_reader.hpp"
#include "accord/io/newick.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"

namespace accord {
namespace {

struct TreeOptions {
  InputOptions input;
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  MethodOptions method;
  ComputeOptions compute;
  MessageOptions messages;
};

/// The range that Backend::join takes.
void check_range(const DistanceMatrix& distances, const std::string& label) {
  constexpr float kLongest = 32.0f;
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      if (distances.at(x, y) <= kLongest) continue;
      throw Error(ErrorKind::bad_input, label + ": a distance is larger than 32",
                  "divide all distances by the same number");
    }
  }
}

std::string tree_text(const TreeOptions& options) {
  if (options.from_distances) {
    const std::string& file = options.input.files.front();
    const std::string label = input_label(file);
    if (options.input.files.size() > 1) {
      throw Error(ErrorKind::usage, "--from-distances: more than one matrix",
                  "a tree is made from one matrix; name one file");
    }
    const NamedDistances named = parse_distances(read_text(file), label);
    check_range(named.distances, label);
    if (!options.neighbor_joining) return format_newick(upgma(named.distances), named.names);
    GuideTree tree;
    const double work = joining_work(named.distances.size());
    with_scheduler(
        options.compute, options.messages, {BackendStage::join}, work,
        [&](Scheduler& scheduler, ProgressListener&) { tree = scheduler.join(named.distances); });
    return format_newick(tree, named.names);
  }
  std::vector<BackendStage> stages = {BackendStage::posteriors};
  if (options.neighbor_joining) stages.push_back(BackendStage::join);
  std::string text;
  with_scheduler(
      options.compute, options.messages, stages, input_work(options.input),
      [&](Scheduler& scheduler, ProgressListener& progress) {
        const FamilyDistances family = family_distances(
            options.input, options.method, options.compute, Purpose::tree, scheduler, progress);
        const GuideTree tree =
            options.neighbor_joining ? scheduler.join(family.distances) : upgma(family.distances);
        text = format_newick(tree, family.set);
      });
  return text;
}

}  // namespace

Command tree_command() {
  const auto options = std::make_shared<TreeOptions>();
  Command command{.name = "tree",
                  .arguments = "IN...",
                  .summary = "guide tree of IN (Newick)",
                  .description =
                      "Writes the guide tree of the sequences of IN in Newick, with branch lengths "
                      "in units of the distance, 1 - expected accuracy of the pairwise alignment. "
                      "'accord align --tree FILE' aligns along it. With --from-distances IN is a "
                      "PHYLIP distance matrix, square or lower triangle.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  command.options.push_back(
      {.name = "from-distances",
       .help = "IN is a PHYLIP distance matrix",
       .topic = OptionTopic::input,
       .common = true,
       .set = [options](const std::string&) { options->from_distances = true; }});
  command.options.push_back(
      {.name = "out",
       .letter = 'o',
       .value = "FILE",
       .help = "write the tree here (-, which is stdout)",
       .topic = OptionTopic::output,
       .common = true,
       .set = [options](const std::string& file) { options->output = file; }});
  command.options.push_back(
      {.name = "method",
       .value = "METHOD",
       .help = "upgma, or nj: neighbour joining, rooted in the middle (upgma)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options->neighbor_joining, "method", "upgma", "nj")});
  add_mode_option(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    apply_common(options->messages, options->compute);
    check_outputs({options->output});
    write_output(options->output, tree_text(*options));
  };
  return command;
}

}  // namespace accord
