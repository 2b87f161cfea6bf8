// SPDX-License-Identifier: Apache-2.0
#include "app/commands/ml_tree_command.hpp"

#include <utility>
#include <vector>

#include "app/cli/run_setup.hpp"
#include "io/files/output_file.hpp"
#include "io/input_alignment.hpp"
#include "io/newick.hpp"
#include "phylogeny/rows_with_data.hpp"
#include "phylogeny/summary.hpp"
#include "run/alignment_stages.hpp"
#include "run/likelihood_run.hpp"
#include "run/ml_tree_run.hpp"

namespace accord {
namespace {

/// The alignment in the input, or the alignment that accord makes of the input.
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

}  // namespace

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

}  // namespace accord
