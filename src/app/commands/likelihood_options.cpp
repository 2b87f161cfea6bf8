// SPDX-License-Identifier: Apache-2.0
#include "app/commands/likelihood_options.hpp"

#include "app/cli/option_values.hpp"

namespace accord {

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

}  // namespace accord
