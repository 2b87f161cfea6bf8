// SPDX-License-Identifier: Apache-2.0
// `accord tree` with trees of maximum likelihood: the command of the aligner, with --ml.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/parallel.hpp"
#include "io/families/input_alignment.hpp"
#include "io/files/output_file.hpp"
#include "io/trees/newick.hpp"
#include "phylogeny/app/phylogeny_commands.hpp"
#include "phylogeny/likelihood_search.hpp"
#include "phylogeny/run/ml_tree_run.hpp"
#include "phylogeny/summary.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

/// The options of `accord tree` with trees of maximum likelihood.
struct MlTreeOptions {
  /// The options of guide trees. Trees of maximum likelihood take the input, the output, the method
  /// of the alignment, and the options of the run from these.
  std::shared_ptr<TreeOptions> guide = std::make_shared<TreeOptions>();
  bool is_ml = false;   ///< --ml: a tree of maximum likelihood
  bool prunes = false;  ///< with --ml: leaves out rows without a known residue
  TreeSearchOptions search;
  std::string table_output;  ///< --table: the file for the summary of the fit; empty: none
  std::optional<int> code;   ///< number of the genetic code, for models of codons
};

/// Adds to `table` the options of trees of maximum likelihood, without those of guide trees. They
/// write to `options`, which must outlive the table.
void add_ml_tree_options(OptionTable& table, MlTreeOptions& options) {
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    table.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, options.is_ml);
  flag("prune",
       "leave out rows without a known residue, with a warning; they are an error otherwise "
       "(--ml)",
       OptionTopic::method, options.prunes);
  add_tree_search_options(table, options.search, " (--ml)");
  add_code_option(table, options.code);
  table.push_back({.name = "table",
                   .value = "FILE",
                   .help = "write the logarithm of the likelihood and the parameters here (--ml)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(options.table_output)});
}

/// Refuses options that exclude each other.
/// Throws  Error{usage}
void check_ml_tree_options(const MlTreeOptions& options) {
  if (options.is_ml && options.guide->from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  check_tree_options(*options.guide);
  check_models_output(options.search);
  if (options.is_ml) return;
  const run::TreeSearch& search = options.search.search;
  const char* const without = options.prunes                  ? "--prune"
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

/// The alignment in the input, or the alignment that accord makes of the input.
InputAlignment aligned_family(const MlTreeOptions& options) {
  const TreeOptions& guide = *options.guide;
  RowsOrSequences read = read_for_distances(guide, guide.method, guide.is_aligned);
  if (read.aligned) return *std::move(read.aligned);
  RunDevices devices = open_devices(guide, first_stages(guide.method), input_seconds(guide.input));
  PreparedFamily family =
      prepare_family(family_of_inputs(guide.input, std::move(read.inputs)), guide.method, false);
  return with_progress(guide, devices, [&](const RunContext& context) {
    return run::align_for_tree(std::move(family), context);
  });
}

/// Writes a tree of maximum likelihood, and the tables that are wanted.
void run_ml_tree(const MlTreeOptions& options) {
  const TreeOptions& guide = *options.guide;
  const run::TreeSearch& search = options.search.search;
  start_run(guide, input_files(guide, guide.method),
            {guide.output, options.table_output, options.search.models_output});
  InputAlignment aligned = aligned_family(options);
  check_rows(aligned, guide.input, options.prunes);
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           search.model, aligned.label, options.code);
  RunDevices devices = open_devices(
      guide, run::likelihood_stages(),
      host_seconds(fitting_work(input.found.patterns, input.model), thread_count()), true);
  const run::MlTree found = with_progress(guide, devices, [&](const RunContext& context) {
    return run::ml_tree(input, aligned, search, context);
  });
  std::vector<Output> outputs;
  outputs.push_back(make_output(
      guide.output, format_newick(tree_with_lengths(found.fit.fitted), aligned.set, found.labels)));
  if (!options.table_output.empty()) {
    outputs.push_back(
        make_output(options.table_output, format_summary(found.fit, input.found.patterns)));
  }
  if (!options.search.models_output.empty()) {
    outputs.push_back(make_output(options.search.models_output, format_models(found.models)));
  }
  write_outputs(outputs);
}

}  // namespace

Command ml_tree_command() {
  const auto options = std::make_shared<MlTreeOptions>();
  Command command = tree_command(options->guide);
  command.description +=
      "\n"
      "With --ml it is a tree of maximum likelihood: the sequences are aligned, unless IN is an "
      "alignment, neighbour joining of maximum-likelihood "
      "distances gives a first tree, and nearest-neighbour interchanges (with "
      "--spr regrafts of subtrees, too) improve it, branch lengths and the "
      "parameters of the model fitted meanwhile. Its branch lengths are in "
      "substitutions per site (per codon for GY94). "
      "'accord help likelihood' has the models; 'accord likelihood' does the same "
      "with a tree of your own, and tells more.\n";
  OptionTable added;
  add_ml_tree_options(added, *options);
  const auto is_method = [](const OptionSpec& option) { return option.name == "method"; };
  command.options.insert(std::ranges::find_if(command.options, is_method),
                         std::make_move_iterator(added.begin()),
                         std::make_move_iterator(added.end()));
  command.run = [options, run_guide_tree = command.run](const std::vector<std::string>& files) {
    options->guide->input.files = files;
    check_ml_tree_options(*options);
    if (options->is_ml) return run_ml_tree(*options);
    run_guide_tree(files);
  };
  return command;
}

}  // namespace accord
