// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/option_values.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/files/output_file.hpp"
#include "accord/files/text_input.hpp"
#include "accord/io/distance_reader.hpp"
#include "accord/io/newick.hpp"
#include "accord/method/estimate.hpp"
#include "accord/method/pipeline.hpp"
#include "accord/method/upgma.hpp"

namespace accord {
namespace {

struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  MethodChoices method;
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

/// The tree of the distances in the one file.
std::string tree_of_matrix(const TreeOptions& options) {
  if (options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--from-distances: more than one matrix",
                "a tree is made from one matrix; name one file");
  }
  const std::string& file = options.input.files.front();
  const std::string label = input_label(file);
  const NamedDistances named = parse_distances(read_text(file), label);
  check_range(named.distances, label);
  if (!options.neighbor_joining) return format_newick(upgma(named.distances), named.names);
  Computation computation(options, {BackendStage::join}, joining_work(named.distances.size()));
  const GuideTree tree = computation.run(
      [&](Scheduler& scheduler, ProgressListener&) { return scheduler.join(named.distances); });
  return format_newick(tree, named.names);
}

/// The tree of the sequences.
std::string tree_of_family(const TreeOptions& options) {
  std::vector<BackendStage> stages = {BackendStage::posteriors};
  if (options.neighbor_joining) stages.push_back(BackendStage::join);
  Computation computation(options, stages, input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  AlignSettings settings = make_settings(options.method, set.type());
  settings.tree = options.neighbor_joining ? TreeMethod::neighbor_joining : TreeMethod::upgma;
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::tree);
  const GuideTree tree = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return build_tree(set, compute_distances(set, settings, scheduler, &progress), settings,
                      scheduler);
  });
  return format_newick(tree, set);
}

void run_tree(const TreeOptions& options) {
  start_run(options, input_files(options, options.method), {options.output});
  write_output(options.output,
               options.from_distances ? tree_of_matrix(options) : tree_of_family(options));
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
  command.options.push_back({.name = "from-distances",
                             .help = "IN is a PHYLIP distance matrix",
                             .topic = OptionTopic::input,
                             .common = true,
                             .set = flag_in(options->from_distances)});
  add_text_output_option(command.options, "the tree", options->output);
  command.options.push_back(
      {.name = "method",
       .value = "METHOD",
       .help = "upgma, or nj: neighbour joining, rooted at its midpoint (upgma)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options->neighbor_joining, "method", "upgma", "nj")});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_tree);
  return command;
}

}  // namespace accord
