// SPDX-License-Identifier: Apache-2.0

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/trees/newick.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/likelihood_search.hpp"
#include "phylogeny/ml_distances.hpp"
#include "phylogeny/run/ml_tree_run.hpp"
#include "phylogeny/summary.hpp"

namespace accord::api {
namespace {

LikelihoodQuery query_of(const LikelihoodOptions& wanted) {
  LikelihoodQuery query;
  query.model = wanted.model;
  query.code = wanted.code;
  if (!wanted.tree.empty()) query.newick = wanted.tree;
  query.tree_label = "the tree";
  query.target = fit_target(wanted.fit, "fit");
  query.improves_topology = wanted.nni;
  query.regraft_radius = wanted.spr;
  if (wanted.precision != "double" && wanted.precision != "single") {
    throw Error(ErrorKind::usage, "precision " + wanted.precision + ": unknown word",
                "use double or single");
  }
  query.is_single = wanted.precision == "single";
  query.prunes = wanted.prune;
  if (!wanted.support.empty()) query.supports = support_kinds(wanted.support, "support");
  check_query(query);
  return query;
}

InputAlignment input_alignment_of(const std::vector<Sequence>& rows, const FamilySource& source) {
  if (rows.empty()) throw Error(ErrorKind::bad_input, "the alignment has no rows");
  InputAlignment aligned;
  aligned.label = "the alignment";
  aligned.rows = records_of_rows(rows);
  aligned.set = make_family(without_gaps(aligned.rows), source, aligned.label);
  return aligned;
}

}  // namespace

const OtherDistanceModels* other_distance_models() { return &likely_distance_models(); }

std::vector<const Stage*> other_stages() { return {&LikelihoodCall::stage}; }

Likelihood likelihood(const std::vector<Sequence>& rows, const LikelihoodOptions& wanted,
                      const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const LikelihoodQuery query = query_of(wanted);
    FamilySource source = source_of(options);
    source.adjust_direction = source.suggests_direction = false;
    InputAlignment aligned = input_alignment_of(rows, source);
    keep_rows_with_data(aligned, query, source);
    LikelihoodInput input = input_of(query, aligned);
    CallRun call_run(options);
    if (options.progress) {
      call_run.devices().set_check([&] { options.progress("likelihood", 0); });
    }
    const LikelihoodFound found = run::likelihood(query, input, aligned, call_run.context());
    const FitResult& result = found.result;
    Likelihood likelihood;
    likelihood.total = result.likelihood.total;
    for (const std::uint32_t pattern : input.found.pattern_of) {
      likelihood.sites.push_back(result.likelihood.sites[pattern]);
    }
    warn_of_changed_tree(found, query.tree_label);
    likelihood.tree = format_newick(tree_with_lengths(result.fitted), aligned.set, found.notes);
    likelihood.table = format_summary(result, input.found.patterns);
    for (const RankedModel& model : found.models) {
      likelihood.models.push_back({model.name, model.total, model.free, model.bic});
    }
    likelihood.warnings = notices_of(scope);
    return likelihood;
  });
}

}  // namespace accord::api
