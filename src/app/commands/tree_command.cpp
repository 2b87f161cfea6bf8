// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "base/parallel.hpp"
#include "io/distance_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/newick.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "method/upgma.hpp"

namespace accord {
namespace {

float longest_of(const DistanceMatrix& distances) {
  float longest = 0;
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) longest = std::max(longest, distances.at(x, y));
  }
  return longest;
}

/// A power of two by which distances are divided, so that they fill the range that
/// Backend::join takes.
double scale_for_joining(float longest) {
  constexpr double kLongest = 32;
  double scale = 1;
  while (longest / scale > kLongest) scale *= 2;
  while (longest > 0 && longest / scale <= kLongest / 2) scale /= 2;
  return scale;
}

/// A number with as few digits as it can have within a tolerance.
double shortest_within(double value, double tolerance) {
  constexpr int kMostDigits = 17;
  char digits[64];
  for (int precision = 0; precision < kMostDigits; ++precision) {
    const auto end = std::to_chars(digits, digits + sizeof digits, value,
                                   std::chars_format::scientific, precision)
                         .ptr;
    double rounded = 0;
    std::from_chars(digits, end, rounded);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

/// The tree with lengths that have no more digits than single precision knows of distances whose
/// longest is this.
GuideTree with_short_lengths(const GuideTree& tree, double longest) {
  constexpr double kPart = 1.0 / (1 << 22);
  GuideTree shortened = with_branch_lengths(tree);
  for (double& length : shortened.length) length = shortest_within(length, kPart * longest);
  return shortened;
}

/// The tree of neighbour joining, of distances that fill the range of fixed point.
GuideTree joined(const DistanceMatrix& distances, Scheduler& scheduler) {
  const double scale = scale_for_joining(longest_of(distances));
  DistanceMatrix scaled(distances.size());
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      scaled.set(x, y, static_cast<float>(distances.at(x, y) / scale));
    }
  }
  GuideTree tree = scheduler.neighbor_joining(scaled);
  for (double& length : tree.length) length *= scale;
  return tree;
}

/// The tree of the distances in the one file.
std::string tree_of_matrix(const GuideTreeOptions& options) {
  if (options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--from-distances: more than one matrix",
                "a tree is made from one matrix; name one file");
  }
  const std::string& file = options.input.files.front();
  const std::string label = input_label(file);
  const NamedDistances named = parse_distances(read_text(file), label);
  const double longest = longest_of(named.distances);
  if (!options.neighbor_joining) {
    return format_newick(with_short_lengths(upgma(named.distances), longest), named.names);
  }
  Computation computation(options, {&NeighborJoiningCall::stage},
                          neighbor_joining_work(named.distances.size()));
  const GuideTree tree = computation.run(
      [&](Scheduler& scheduler, ProgressListener&) { return joined(named.distances, scheduler); });
  return format_newick(with_short_lengths(tree, longest), named.names);
}

/// The tree of the sequences.
std::string tree_of_family(const GuideTreeOptions& options) {
  std::vector<const Stage*> stages = {&PosteriorCall::stage};
  if (options.neighbor_joining) stages.push_back(&NeighborJoiningCall::stage);
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

void run_tree(const GuideTreeOptions& options) {
  start_run(options, input_files(options, options.method), {options.output});
  write_output(options.output,
               options.from_distances ? tree_of_matrix(options) : tree_of_family(options));
}

}  // namespace

Command tree_command(std::shared_ptr<GuideTreeOptions> options) {
  Command command{.name = "tree",
                  .arguments = "IN...",
                  .summary = "guide tree of IN (Newick)",
                  .description =
                      "Writes the guide tree of the sequences of IN in Newick, with branch lengths "
                      "in units of the distance, 1 - expected accuracy of the pairwise alignment. "
                      "'accord align --tree FILE' aligns along it. With --from-distances IN is a "
                      "distance matrix: PHYLIP, square or a triangle, or TSV or CSV as 'accord "
                      "dist' writes them.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  command.options.push_back({.name = "from-distances",
                             .help = "IN is a distance matrix (PHYLIP, TSV or CSV)",
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
