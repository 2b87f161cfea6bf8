// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/rows_with_data.hpp"
#include "app/commands/topology_memory.hpp"
#include "app/commands/tree_search_options.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/input_alignment.hpp"
#include "io/newick.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/nni.hpp"
#include "phylogeny/summary.hpp"

namespace accord {
namespace {

struct LikelihoodOptions : RunOptions {
  TreeSearchOptions search;
  std::optional<int> code;  ///< of codons
  std::string tree;         ///< empty: of neighbour joining
  FitTarget target = FitTarget::all;
  bool improves_topology = false, is_single = false;
  bool prunes = false;  ///< rows and leaves without each other, and rows without data, are left out
  std::string output = "-", tree_output, sites_output;
};

FitTarget parse_target(const std::string& text) {
  if (text == "none") return FitTarget::none;
  if (text == "lengths") return FitTarget::lengths;
  if (text == "all") return FitTarget::all;
  throw Error(ErrorKind::usage, "--fit " + text + ": unknown", "use none, lengths or all");
}

/// Refuses a model that has parameters to fit if these cannot be fitted.
void check_parameters(const LikelihoodOptions& options, const ModelSpec& model) {
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.is_given) continue;
    if (options.is_single) {
      throw Error(ErrorKind::usage,
                  "model " + model.text + ": " + parameter.name +
                      " cannot be fitted with --precision single",
                  "give all parameters in braces, as in HKY{2.5}+G4{0.5}, or fit them in double");
    }
    if (options.target == FitTarget::all) continue;
    throw Error(
        ErrorKind::usage, "model " + model.text + ": " + parameter.name + " has no value",
        "give all parameters in braces, as in HKY{2.5}+G4{0.5}, or fit them with --fit all");
  }
}

/// The tree of the option, or that of neighbour joining with maximum-likelihood distances.
TreeWithModel first_tree(const LikelihoodOptions& options, const LikelihoodInput& input,
                         const SequenceSet& set, const std::string& newick, Scheduler& scheduler) {
  if (options.tree.empty()) return neighbor_joining_tree(input, scheduler);
  const auto read = options.prunes ? parse_newick_pruned : parse_newick;
  return input.with(
      read(newick, input_label(options.tree), set,
           options.target == FitTarget::none ? NewickLengths::all : NewickLengths::any));
}

/// The alignment, with the rows that can have a place in a tree.
InputAlignment read_rows(const LikelihoodOptions& options, const std::string& newick) {
  FamilySource source = options.input;
  source.shows_names = !options.tree.empty() || !options.tree_output.empty();
  InputAlignment aligned = read_input_alignment(source);
  const bool has_tree = !options.tree.empty();
  if (has_tree && options.prunes) {
    prune_rows(aligned, source, newick, input_label(options.tree));
  }
  // On a tree that is not changed a row without data changes nothing.
  if (!has_tree || options.target != FitTarget::none) check_rows(aligned, source, options.prunes);
  return aligned;
}

void check_possible(const FitResult& result, const std::vector<std::uint32_t>& pattern_of) {
  for (std::size_t c = 0; c < pattern_of.size(); ++c) {
    if (std::isfinite(result.likelihood.sites[pattern_of[c]])) continue;
    throw Error(ErrorKind::bad_input,
                "site " + std::to_string(c + 1) + " is impossible on the tree with its lengths",
                "branches of length 0 join sequences that differ; --fit lengths finds others");
  }
}

/// Refuses options that do not go together.
void check_options(const LikelihoodOptions& options) {
  const TreeSearchOptions& search = options.search;
  if (options.improves_topology && options.target == FitTarget::none) {
    throw Error(ErrorKind::usage, "--nni changes lengths, but --fit none keeps them",
                "use --fit lengths or --fit all");
  }
  if (options.improves_topology && options.is_single) {
    usage_error("--nni needs double precision", "leave out --precision single");
  }
  if (search.regraft_radius > 0 && !options.improves_topology) {
    usage_error("--spr comes after interchanges", "add --nni");
  }
  if (!search.supports.empty() && options.is_single) {
    usage_error("--support needs double precision", "leave out --precision single");
  }
  if (!search.supports.empty() && options.tree_output.empty()) {
    usage_error("--support labels the branches of the tree", "add --tree-out FILE");
  }
  if (search.chooses_model() && options.target != FitTarget::all) {
    usage_error("--model auto fits parameters", "leave out --fit, or name a model");
  }
  check_models_output(search);
}

/// What a run finds.
struct Found {
  FitResult result;
  std::vector<RankedModel> models;
  std::vector<std::string> labels;  ///< of the tree
};

Found search(const LikelihoodOptions& options, LikelihoodInput& input, const SequenceSet& set,
             const std::string& newick, Scheduler& scheduler) {
  const SitePatterns& patterns = input.found.patterns;
  const std::uint32_t radius = options.search.regraft_radius;
  const bool finds_tree = options.improves_topology && options.tree.empty();
  Found found;
  TreeWithModel start;
  if (!finds_tree || options.search.chooses_model()) {
    start = first_tree(options, input, set, newick, scheduler);
  }
  if (options.search.chooses_model()) {
    found.models = choose_model(input, start, set.type(), scheduler);
    start = input.with(start.tree);
  }
  if (finds_tree) {
    found.result = ml_tree(input, options.target, radius, scheduler);
  } else if (options.improves_topology) {
    start = fit(start, patterns, options.target, scheduler, kCoarseGain).fitted;
    found.result = improve_topology({&start, 1}, patterns, options.target, radius, scheduler);
  } else {
    found.result = fit(start, patterns, options.target, scheduler, kFineGain,
                       options.is_single ? Precision::float32 : Precision::float64);
  }
  found.labels = support_labels(found.result.fitted, patterns, options.search, scheduler);
  return found;
}

void run_likelihood(const LikelihoodOptions& options) {
  check_options(options);
  std::vector<std::string> inputs = input_files(options);
  inputs.push_back(options.tree);
  start_run(
      options, inputs,
      {options.output, options.tree_output, options.sites_output, options.search.models_output});
  const std::string newick = options.tree.empty() ? "" : read_text(options.tree);
  const InputAlignment aligned = read_rows(options, newick);
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           options.search.model, aligned.label, options.code);
  check_parameters(options, input.model);
  const SitePatterns& patterns = input.found.patterns;
  if (options.improves_topology || !options.search.supports.empty()) {
    check_topology_memory(input, options.search.regraft_radius, options.compute, aligned.label);
  }
  Computation computation(options, {BackendStage::likelihood, BackendStage::neighbor_joining},
                          fitting_work(patterns, input.model), !options.is_single);
  const Found found = computation.run([&](Scheduler& scheduler, ProgressListener&) {
    return search(options, input, aligned.set, newick, scheduler);
  });
  const FitResult& result = found.result;
  check_possible(result, input.found.pattern_of);
  std::vector<Output> outputs;
  outputs.push_back(make_output(options.output, format_summary(result, patterns)));
  const auto add = [&](const std::string& path, const auto& text) {
    if (!path.empty()) outputs.push_back(make_output(path, text()));
  };
  add(options.tree_output,
      [&] { return format_newick(tree_with_lengths(result.fitted), aligned.set, found.labels); });
  add(options.sites_output,
      [&] { return format_sites(result.likelihood, input.found.pattern_of); });
  add(options.search.models_output, [&] { return format_models(found.models); });
  write_outputs(outputs);
}

void add_own_options(OptionTable& table, LikelihoodOptions& options) {
  const auto file = [&](const char* name, const char* help, std::string& target) {
    table.push_back({.name = name,
                     .value = "FILE",
                     .help = help,
                     .topic = OptionTopic::output,
                     .common = true,
                     .set = keep_in(target)});
  };
  add_tree_search_options(table, options.search, "");
  add_code_option(table, options.code);
  table.push_back({.name = "tree",
                   .value = "FILE",
                   .help = "the tree (Newick) (neighbour joining)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .dash = Dash::input,
                   .set = keep_in(options.tree)});
  table.push_back({.name = "prune",
                   .help = "leave out rows that are not in the tree or of which nothing is known, "
                           "and leaves that are not in the alignment, with a warning; they are an "
                           "error otherwise",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = flag_in(options.prunes)});
  table.push_back(
      {.name = "fit",
       .value = "WHAT",
       .help = "what is changed to raise the likelihood: none, lengths of branches, or all (all)",
       .topic = OptionTopic::method,
       .common = true,
       .set = [&options](const std::string& text) { options.target = parse_target(text); }});
  table.push_back({.name = "nni",
                   .help = "improve the shape of the tree by nearest-neighbour interchanges",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = flag_in(options.improves_topology)});
  table.push_back({.name = "precision",
                   .value = "WHAT",
                   .help = "of partial likelihoods: double, or single, faster and for devices "
                           "without double precision (double)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = choice_in(options.is_single, "precision", "double", "single")});
  add_text_output_option(table, "the table", options.output);
  file("tree-out", "write the tree with its lengths here (Newick)", options.tree_output);
  file("sites", "write the logarithms of the sites here (TSV)", options.sites_output);
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
  add_input_options(command.options, options->input);
  add_own_options(command.options, *options);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_likelihood);
  return command;
}

}  // namespace accord
