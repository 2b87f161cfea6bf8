// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/tree_search_options.hpp"
#include "io/distance_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/input_alignment.hpp"
#include "io/newick.hpp"
#include "phylogeny/rows_with_data.hpp"
#include "phylogeny/summary.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/workload.hpp"
#include "run/guide_tree_run.hpp"
#include "run/likelihood_run.hpp"
#include "run/ml_tree_run.hpp"

namespace accord {
namespace {

struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  bool is_ml = false;       ///< a tree of maximum likelihood,
  bool is_aligned = false;  ///< of the alignment that IN is,
  bool prunes = false;      ///< without the rows of which nothing is known
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< of codons
  MethodOptions method;
};

/// Refuses options that do not go together.
void check_options(const TreeOptions& options) {
  if (options.is_ml && options.from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  if (options.is_aligned && options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--aligned: more than one alignment", "name one file");
  }
  check_models_output(options.search);
  if (options.is_ml) return;
  const run::TreeSearch& search = options.search.search;
  const char* const without = options.is_aligned              ? "--aligned"
                              : options.prunes                ? "--prune"
                              : !search.model.empty()         ? "--model"
                              : options.code                  ? "--code"
                              : search.regraft_radius > 0     ? "--spr"
                              : !search.supports.empty()      ? "--support"
                              : !options.table_output.empty() ? "--table"
                                                              : nullptr;
  if (without == nullptr) return;
  throw Error(ErrorKind::usage, std::string(without) + " is for trees of maximum likelihood",
              "add --ml");
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
  method.tree = options.neighbor_joining ? TreeMethod::neighbor_joining : TreeMethod::upgma;
  RunDevices devices = open_devices(options, first_stages(method), input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  const AlignSettings settings = make_settings(method, set.type());
  const GuideTree tree = with_progress(options, devices, [&](const RunContext& context) {
    return run::guide_tree(set, settings, context);
  });
  return format_newick(tree, set);
}

/// The alignment that IN is, or that accord makes of it.
InputAlignment aligned_family(const TreeOptions& options) {
  if (options.is_aligned) return read_input_alignment(options.input);
  RunDevices devices =
      open_devices(options, first_stages(options.method), input_work(options.input));
  FamilyInput input = read_family(options.input);
  const AlignSettings settings = make_settings(options.method, input.set.type());
  return with_progress(options, devices, [&](const RunContext& context) {
    return run::align_for_tree(std::move(input), settings, context);
  });
}

/// Writes the tree of maximum likelihood, and the tables that are wanted.
void run_ml_tree(const TreeOptions& options) {
  const run::TreeSearch& search = options.search.search;
  InputAlignment aligned = aligned_family(options);
  check_rows(aligned, options.input, options.prunes);
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           search.model, aligned.label, options.code);
  RunDevices devices = open_devices(options, run::likelihood_stages(),
                                    fitting_work(input.found.patterns, input.model), true);
  const run::MlTree found = with_progress(options, devices, [&](const RunContext& context) {
    return run::ml_tree(input, aligned, search, context);
  });
  std::vector<Output> outputs;
  outputs.push_back(make_output(options.output, format_newick(tree_with_lengths(found.fit.fitted),
                                                              aligned.set, found.labels)));
  if (!options.table_output.empty()) {
    outputs.push_back(
        make_output(options.table_output, format_summary(found.fit, input.found.patterns)));
  }
  if (!options.search.models_output.empty()) {
    outputs.push_back(make_output(options.search.models_output, format_models(found.models)));
  }
  write_outputs(outputs);
}

void run_tree(const TreeOptions& options) {
  check_options(options);
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
  add_family_options(command.options, options->input);
  command.options.push_back({.name = "from-distances",
                             .help = "IN is a distance matrix (PHYLIP, TSV or CSV)",
                             .topic = OptionTopic::input,
                             .common = true,
                             .set = flag_in(options->from_distances)});
  add_text_output_option(command.options, "the tree", options->output);
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    command.options.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, options->is_ml);
  flag("aligned", "IN is an alignment; its gaps are kept (--ml)", OptionTopic::input,
       options->is_aligned);
  flag("prune",
       "leave out rows of which nothing is known, with a warning; they are an error otherwise "
       "(--ml)",
       OptionTopic::method, options->prunes);
  add_tree_search_options(command.options, options->search, " (--ml)");
  add_code_option(command.options, options->code);
  command.options.push_back(
      {.name = "table",
       .value = "FILE",
       .help = "write the logarithm of the likelihood and the parameters here (--ml)",
       .topic = OptionTopic::output,
       .common = true,
       .set = keep_in(options->table_output)});
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
