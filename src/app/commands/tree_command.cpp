// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/parallel.hpp"
#include "io/families/input_alignment.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/trees/distance_reader.hpp"
#include "io/trees/newick.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"
#include "run/estimate/workload.hpp"
#include "run/guide_tree_run.hpp"
#include "tools/column_distances.hpp"

namespace accord {
namespace {

/// The tree of distances, all of them finite.
GuideTree tree_of_distances(const TreeOptions& options, const DistanceMatrix& distances) {
  if (!options.neighbor_joining) return run::tree_by_average_linkage(distances);
  RunDevices devices =
      open_devices(options, {&NeighborJoiningCall::stage},
                   host_seconds(neighbor_joining_work(distances.size()), thread_count()));
  return with_progress(options, devices, [&](const RunContext& context) {
    return run::tree_by_neighbor_joining(distances, context);
  });
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
  return format_newick(tree_of_distances(options, named.distances), named.names);
}

/// The tree of the rows of an alignment, by the distances of `accord dist --aligned`.
std::string tree_of_rows(const TreeOptions& options, const InputAlignment& aligned) {
  const DistanceMatrix distances =
      column_distances(aligned.texts(), aligned.set, {}, aligned.label);
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (const float distance : distances.before(y)) {
      if (std::isfinite(distance)) continue;
      throw Error(ErrorKind::bad_input,
                  aligned.label + ": no tree, since a pair of rows has no column to compare",
                  "leave out rows that share none, or align the sequences anew with {gaps=remove}");
    }
  }
  return format_newick(tree_of_distances(options, distances), aligned.set);
}

/// The tree of the sequences, or of the rows of an alignment.
std::string tree_of_family(const TreeOptions& options) {
  RowsOrSequences read = read_for_distances(options, options.method, options.is_aligned);
  if (read.aligned) return tree_of_rows(options, *read.aligned);
  MethodOptions method = options.method;
  method.set("tree", options.neighbor_joining ? "nj" : "upgma", "--method");
  RunDevices devices = open_devices(options, first_stages(method), input_seconds(options.input));
  const SequenceSet set = family_of_inputs(options.input, std::move(read.inputs)).set;
  const AlignSettings settings = make_settings(method, set.type());
  const GuideTree tree = with_progress(options, devices, [&](const RunContext& context) {
    return run::guide_tree(set, settings, context);
  });
  return format_newick(tree, set);
}

void run_tree(const TreeOptions& options) {
  check_tree_options(options);
  start_run(options, input_files(options, options.method), {options.output});
  write_output(options.output,
               options.from_distances ? tree_of_matrix(options) : tree_of_family(options));
}

}  // namespace

Command tree_command(std::shared_ptr<TreeOptions> options) {
  Command command{.name = "tree",
                  .arguments = "IN...",
                  .summary = "guide tree of IN (Newick)",
                  .description =
                      "Writes the guide tree of the sequences of IN in Newick, with branch lengths "
                      "in units of the distance, 1 - expected accuracy of the pairwise alignment. "
                      "A finished alignment, rows of one length with gaps, is taken as it is, and "
                      "the distance is 1 - the identity, as in 'accord dist'; --aligned does so "
                      "without gaps, too, and --gaps remove or an option of the method aligns the "
                      "sequences anew. "
                      "'accord align --tree FILE' aligns along it. With --from-distances IN is a "
                      "distance matrix: PHYLIP, square or a triangle, or TSV or CSV as 'accord "
                      "dist' writes them.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_tree_options(command.options, *options);
  command.run = with_files(options, run_tree);
  return command;
}

void add_tree_options(OptionTable& table, TreeOptions& values) {
  add_family_options(table, values.input);
  table.push_back({.name = "from-distances",
                   .help = "IN is a distance matrix (PHYLIP, TSV or CSV)",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.from_distances)});
  table.push_back({.name = "aligned",
                   .help = "IN is an alignment, which is taken as it is, even without gaps",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.is_aligned)});
  add_text_output_option(table, "the tree", values.output);
  table.push_back({.name = "method",
                   .value = "METHOD",
                   .help = "upgma, or nj: neighbour joining, rooted at its midpoint (upgma)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = choice_in(values.neighbor_joining, "method", "upgma", "nj")});
  add_model_options(table, values.method);
  add_run_options(table, values);
}

void check_tree_options(const TreeOptions& options) {
  if (!options.is_aligned) return;
  if (options.from_distances) {
    usage_error("--aligned is for sequences, --from-distances for distances",
                "leave one of them out");
  }
  if (options.input.files.size() > 1) {
    usage_error("--aligned: more than one alignment", "name one file");
  }
}

}  // namespace accord
