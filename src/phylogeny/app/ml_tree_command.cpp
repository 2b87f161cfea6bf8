// SPDX-License-Identifier: Apache-2.0
// `accord tree` with trees of maximum likelihood: the command of the aligner, with --ml.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/estimate/estimate.hpp"
#include "base/parallel.hpp"
#include "io/files/output_file.hpp"
#include "io/input_alignment.hpp"
#include "io/newick.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "phylogeny/app/phylogeny_commands.hpp"
#include "phylogeny/app/topology_memory.hpp"
#include "phylogeny/app/tree_search_options.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/rows_with_data.hpp"
#include "phylogeny/summary.hpp"

namespace accord {
namespace {

struct MlTreeOptions {
  std::shared_ptr<GuideTreeOptions> guide = std::make_shared<GuideTreeOptions>();
  bool is_ml = false;       ///< a tree of maximum likelihood,
  bool is_aligned = false;  ///< of the alignment that IN is,
  bool prunes = false;      ///< without the rows of which nothing is known
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< of codons
};

/// Refuses options that do not go together.
void check_options(const MlTreeOptions& options) {
  if (options.is_ml && options.guide->from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  if (options.is_aligned && options.guide->input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--aligned: more than one alignment", "name one file");
  }
  check_models_output(options.search);
  if (options.is_ml) return;
  const char* const without = options.is_aligned                  ? "--aligned"
                              : options.prunes                    ? "--prune"
                              : !options.search.model.empty()     ? "--model"
                              : options.code                      ? "--code"
                              : options.search.regraft_radius > 0 ? "--spr"
                              : !options.search.supports.empty()  ? "--support"
                              : !options.table_output.empty()     ? "--table"
                                                                  : nullptr;
  if (without == nullptr) return;
  throw Error(ErrorKind::usage, std::string(without) + " is for trees of maximum likelihood",
              "add --ml");
}

/// The alignment that IN is, or that accord makes of it.
InputAlignment aligned_family(const MlTreeOptions& options) {
  if (options.is_aligned) return read_input_alignment(options.guide->input);
  Computation computation(*options.guide, {&PosteriorCall::stage, &ConsistencyCall::stage},
                          input_work(options.guide->input));
  FamilyInput input = read_family(options.guide->input);
  const AlignSettings settings = make_settings(options.guide->method, input.set.type());
  check_memory(input.set, settings, thread_count(), memory_budget(options.guide->compute));
  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(input.set, settings, scheduler, {log_stage, &progress});
  });
  const AlignmentText text = make_alignment_text(input.set, result.msa);
  InputAlignment aligned{{}, std::move(input.set), input.label};
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    aligned.rows.push_back(aligned.set.record(aligned.set.from_input(k)));
    aligned.rows.back().letters = text.rows[k];
  }
  return aligned;
}

/// Writes the tree of maximum likelihood, and the table if it is wanted.
void run_ml_tree(const MlTreeOptions& options) {
  start_run(*options.guide, input_files(*options.guide, options.guide->method),
            {options.guide->output, options.table_output, options.search.models_output});
  InputAlignment aligned = aligned_family(options);
  check_rows(aligned, options.guide->input, options.prunes);
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           options.search.model, aligned.label, options.code);
  const SitePatterns& patterns = input.found.patterns;
  check_topology_memory(input, options.search.regraft_radius, memory_budget(options.guide->compute),
                        aligned.label);
  Computation computation(*options.guide, {&LikelihoodCall::stage, &NeighborJoiningCall::stage},
                          fitting_work(patterns, input.model), true);
  std::vector<RankedModel> models;
  std::vector<std::string> labels;
  const FitResult result = computation.run([&](Scheduler& scheduler, ProgressListener&) {
    if (options.search.chooses_model()) {
      models = choose_model(input, neighbor_joining_tree(input, scheduler), aligned.set.type(),
                            scheduler);
    }
    FitResult best = ml_tree(input, FitTarget::all, options.search.regraft_radius, scheduler);
    labels = support_labels(best.fitted, patterns, options.search.supports, scheduler);
    return best;
  });
  std::vector<Output> outputs;
  outputs.push_back(make_output(
      options.guide->output, format_newick(tree_with_lengths(result.fitted), aligned.set, labels)));
  if (!options.table_output.empty()) {
    outputs.push_back(make_output(options.table_output, format_summary(result, patterns)));
  }
  if (!options.search.models_output.empty()) {
    outputs.push_back(make_output(options.search.models_output, format_models(models)));
  }
  write_outputs(outputs);
}

/// The options of trees of maximum likelihood.
OptionTable ml_options(MlTreeOptions& options) {
  OptionTable table;
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    table.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, options.is_ml);
  flag("aligned", "IN is an alignment; its gaps are kept (--ml)", OptionTopic::input,
       options.is_aligned);
  flag("prune",
       "leave out rows of which nothing is known, with a warning; they are an error otherwise "
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
  return table;
}

}  // namespace

Command ml_tree_command() {
  const auto options = std::make_shared<MlTreeOptions>();
  Command command = tree_command(options->guide);
  command.description +=
      "\n"
      "With --ml it is a tree of maximum likelihood: the sequences are aligned (or "
      "IN is an alignment, --aligned), neighbour joining of maximum-likelihood "
      "distances gives a first tree, and nearest-neighbour interchanges (with "
      "--spr regrafts of subtrees, too) improve it, branch lengths and the "
      "parameters of the model fitted meanwhile. Its branch lengths are in "
      "substitutions per site (per codon for GY94). "
      "'accord help likelihood' has the models; 'accord likelihood' does the same "
      "with a tree of your own, and tells more.\n";
  const auto is_method = [](const OptionSpec& option) { return option.name == "method"; };
  OptionTable added = ml_options(*options);
  command.options.insert(std::ranges::find_if(command.options, is_method),
                         std::make_move_iterator(added.begin()),
                         std::make_move_iterator(added.end()));
  command.run = [options, run_guide_tree = command.run](const std::vector<std::string>& files) {
    options->guide->input.files = files;
    check_options(*options);
    if (options->is_ml) return run_ml_tree(*options);
    run_guide_tree(files);
  };
  return command;
}

}  // namespace accord
