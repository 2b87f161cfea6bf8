// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/ml_tree_command.hpp"
#include "app/commands/tree_options.hpp"
#include "io/distance_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/newick.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/workload.hpp"
#include "run/guide_tree_run.hpp"

namespace accord {
namespace {

/// The tree of the distances in the one file.
std::string tree_of_matrix(const TreeOptions& options) {
  if (options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--from-distances: more than one matrix",
                "a tree is made from one matrix; name one file");
  }
  const std::string& file = options.input.files.front();
  const std::string label = input_label(file);
  const NamedDistances named = parse_distances(read_text(file), label);
  if (!options.neighbor_joining) {
    return format_newick(run::tree_by_average_linkage(named.distances), named.names);
  }
  RunDevices devices = open_devices(options, {BackendStage::neighbor_joining},
                                    neighbor_joining_work(named.distances.size()));
  const GuideTree tree = with_progress(options, devices, [&](const RunContext& context) {
    return run::tree_by_neighbor_joining(named.distances, context);
  });
  return format_newick(tree, named.names);
}

/// The tree of the sequences.
std::string tree_of_family(const TreeOptions& options) {
  MethodOptions method = options.method;
  method.set("tree", options.neighbor_joining ? "nj" : "upgma", "--method");
  RunDevices devices = open_devices(options, first_stages(method), input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  const AlignSettings settings = make_settings(method, set.type());
  const GuideTree tree = with_progress(options, devices, [&](const RunContext& context) {
    return run::guide_tree(set, settings, context);
  });
  return format_newick(tree, set);
}

void run_tree(const TreeOptions& options) {
  check_tree_options(options);
  start_run(options, input_files(options, options.method),
            {options.output, options.table_output, options.search.models_output});
  if (options.is_ml) return run_ml_tree(options);
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
                      "distance matrix: PHYLIP, square or a triangle, or TSV or CSV as 'accord "
                      "dist' writes them.\n"
                      "\n"
                      "With --ml it is a tree of maximum likelihood: the sequences are aligned (or "
                      "IN is an alignment, --aligned), neighbour joining of maximum-likelihood "
                      "distances gives a first tree, and nearest-neighbour interchanges (with "
                      "--spr regrafts of subtrees, too) improve it, branch lengths and the "
                      "parameters of the model fitted meanwhile. Its branch lengths are in "
                      "substitutions per site (per codon for GY94). "
                      "'accord help likelihood' has the models; 'accord likelihood' does the same "
                      "with a tree of your own, and tells more.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_tree_options(command.options, *options);
  command.run = with_files(options, run_tree);
  return command;
}

}  // namespace accord
