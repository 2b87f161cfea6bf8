// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_setup.hpp"
#include "base/parallel.hpp"
#include "io/families/input_alignment.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/trees/newick.hpp"
#include "phylogeny/app/phylogeny_commands.hpp"
#include "phylogeny/likelihood_search.hpp"
#include "phylogeny/run/ml_tree_run.hpp"
#include "phylogeny/summary.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

/// The options of `accord likelihood`.
struct LikelihoodOptions : RunOptions {
  TreeSearchOptions search;
  LikelihoodQuery query;  ///< without the fields that `search` and `tree` set
  std::string tree;       ///< path of the tree; empty: a neighbour-joining tree
  /// Paths of the output files: the table ("-": standard output), the tree, and the logarithms of
  /// the likelihoods of the sites. Empty: not written.
  std::string output = "-", tree_output, sites_output;
};

/// Adds to `table` all options of `accord likelihood`; they write to `options`, which must outlive
/// the table.
void add_likelihood_options(OptionTable& table, LikelihoodOptions& options) {
  add_input_options(table, options.input);
  const auto file = [&](const char* name, const char* help, std::string& target) {
    table.push_back({.name = name,
                     .value = "FILE",
                     .help = help,
                     .topic = OptionTopic::output,
                     .common = true,
                     .set = keep_in(target)});
  };
  add_tree_search_options(table, options.search, "");
  add_code_option(table, options.query.code);
  table.push_back({.name = "tree",
                   .value = "FILE",
                   .help = "the tree, a Newick file (a tree of neighbour joining)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .dash = Dash::input,
                   .set = keep_in(options.tree)});
  table.push_back({.name = "prune",
                   .help = "leave out rows that are not in the tree or have no known residue, and "
                           "leaves that are not in the alignment, with a warning; they are an "
                           "error otherwise",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = flag_in(options.query.prunes)});
  table.push_back({.name = "fit",
                   .value = "WHAT",
                   .help = "what the fit changes to raise the likelihood: none, lengths (of "
                           "branches), or all (all)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = [&options](const std::string& text) {
                     options.query.target = fit_target(text, "--fit");
                   }});
  table.push_back({.name = "nni",
                   .help = "improve the shape of the tree by nearest-neighbour interchanges",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = flag_in(options.query.improves_topology)});
  table.push_back(
      {.name = "precision",
       .value = "WHAT",
       .help = "precision of partial likelihoods: double, or single, faster and for devices "
               "without double precision (double)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options.query.is_single, "precision", "double", "single")});
  add_text_output_option(table, "the table", options.output);
  file("tree-out", "write the tree with its lengths here (Newick)", options.tree_output);
  file("sites", "write the logarithms of the sites here (TSV)", options.sites_output);
  add_run_options(table, options);
}

/// The query that the options make.
LikelihoodQuery query_of(const LikelihoodOptions& options) {
  LikelihoodQuery query = options.query;
  const run::TreeSearch& search = options.search.search;
  query.model = search.model;
  query.regraft_radius = search.regraft_radius;
  query.supports = search.supports;
  check_query(query);
  if (!query.supports.empty() && options.tree_output.empty()) {
    usage_error("--support labels the branches of the tree", "add --tree-out FILE");
  }
  check_models_output(options.search);
  return query;
}

/// Reads the alignment; keeps the rows that can be leaves of a tree.
InputAlignment read_rows(const LikelihoodOptions& options, const LikelihoodQuery& query) {
  FamilySource source = options.input;
  source.shows_names = !options.tree.empty() || !options.tree_output.empty();
  InputAlignment aligned = read_input_alignment(source);
  keep_rows_with_data(aligned, query, source);
  return aligned;
}

void run_likelihood(const LikelihoodOptions& options) {
  LikelihoodQuery query = query_of(options);
  std::vector<std::string> inputs = input_files(options);
  inputs.push_back(options.tree);
  start_run(
      options, inputs,
      {options.output, options.tree_output, options.sites_output, options.search.models_output});
  if (!options.tree.empty()) {
    query.newick = read_text(options.tree);
    query.tree_label = input_label(options.tree);
  }
  const InputAlignment aligned = read_rows(options, query);
  LikelihoodInput input = input_of(query, aligned);
  const SitePatterns& patterns = input.found.patterns;
  RunDevices devices = open_devices(
      options, run::likelihood_stages(),
      host_seconds(fitting_work(patterns, input.model), thread_count()), !query.is_single);
  const LikelihoodFound found = with_progress(options, devices, [&](const RunContext& context) {
    return run::likelihood(query, input, aligned, context);
  });
  const FitResult& result = found.result;
  if (!options.tree_output.empty()) warn_of_changed_tree(found, query.tree_label);
  std::vector<Output> outputs;
  outputs.push_back(make_output(options.output, format_summary(result, patterns)));
  const auto add = [&](const std::string& path, const auto& text) {
    if (!path.empty()) outputs.push_back(make_output(path, text()));
  };
  add(options.tree_output,
      [&] { return format_newick(tree_with_lengths(result.fitted), aligned.set, found.notes); });
  add(options.sites_output,
      [&] { return format_sites(result.likelihood, input.found.pattern_of); });
  add(options.search.models_output, [&] { return format_models(found.models); });
  write_outputs(outputs);
}

}  // namespace

Command likelihood_command() {
  const auto options = std::make_shared<LikelihoodOptions>();
  Command command{
      .name = "likelihood",
      .arguments = "MSA",
      .summary = "likelihood of a tree for the alignment MSA",
      .description =
          "Computes the likelihood of an alignment on a tree under a model of substitution, and "
          "fits branch lengths (--fit lengths) and the parameters of the model, too (--fit all). "
          "Without --tree the tree is that of neighbour joining with maximum-likelihood "
          "distances. The table on stdout has the logarithm of the likelihood, AIC, BIC and the "
          "parameters.\n"
          "\n"
          "Models: JC, F81, K80{kappa}, HKY{kappa}, TNE and TN{AG,CT}, SYM and "
          "GTR{AC,AG,AT,CG,CT} for nucleotides, and K81, K81U, TPM2, TPM2U, TPM3, TPM3U, TIM, "
          "TIM2, "
          "TIM3, TVM (TIME, TIM2E, TIM3E, TVME with equal frequencies; F81, HKY, TN, GTR and the "
          "others with those in the alignment), LG, WAG, JTT, DAYHOFF for proteins, "
          "GY94{kappa,omega} for codons (of any genetic code, --code; frequencies F3X4). Added to "
          "them: "
          "+G4 or +G4{alpha}, rates of a gamma distribution in 4 categories; +R4, 4 rates with "
          "weights that are fitted, or weights and rates in turn in braces; +I or +I{share}, "
          "invariant sites; +ASC for alignments of nothing but sites that vary; +F, frequencies "
          "counted in the alignment; +FQ, equal ones. Parameters in braces are kept as they are "
          "given. The names of IQ-TREE, RAxML and PhyML, such as HKY85, TN93, GTRGAMMA or "
          "PROTGAMMAILGF, are read as well.\n"
          "\n"
          "--model auto takes the model of the lowest BIC, on one tree: JC, F81, K80, HKY, TNE, "
          "TN, "
          "SYM and GTR, or LG, WAG, JTT and DAYHOFF with and without +F, each alone, with +I, +G4 "
          "and +I+G4, and the best matrix with +R2 to +R4. auto+ASC does so for sites that vary.\n"
          "\n"
          "--support sh-alrt is the percentage of 1,000 resampled alignments that support a branch "
          "against both interchanges at it (Shimodaira-Hasegawa); alrt is 1 - P of the likelihood "
          "ratio, abayes the posterior among the three trees.\n"
          "\n"
          "Gaps and unknown residues say nothing, ambiguous letters stand for any of their "
          "residues. Branch lengths are in substitutions per site (per codon for GY94); a node "
          "of more than two children is resolved from left to right. The likelihood does not "
          "depend on where the root is.\n",
      .least_files = 1,
      .most_files = 1};
  add_likelihood_options(command.options, *options);
  command.run = with_files(options, run_likelihood);
  return command;
}

}  // namespace accord
