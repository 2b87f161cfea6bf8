// SPDX-License-Identifier: Apache-2.0
#include "accord/api/ensemble.hpp"

#include <optional>
#include <utility>

#include "api/call.hpp"
#include "io/families/track_writer.hpp"
#include "io/trees/newick.hpp"
#include "run/ensemble_run.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/ensemble_report.hpp"

namespace accord::api {
namespace {

Alignment replicate_of(const FamilyInput& input, const AlignResult& aligned) {
  const Confidence* confidence = aligned.confidence ? &*aligned.confidence : nullptr;
  Alignment alignment = alignment_of(make_alignment_text(input.set, aligned.msa, confidence));
  alignment.tree = format_newick(aligned.tree, input.set);
  if (confidence != nullptr) set_confidence(alignment, input.set, aligned.msa, *confidence);
  if (input.source.track.has_tracks()) {
    alignment.tracks = track_rows(input.set, aligned.msa).rows.texts();
  }
  return alignment;
}

Ensemble ensemble_of(FamilyInput input, const EnsembleOptions& wanted, const Options& options) {
  CallRun call_run(options);
  const PreparedFamily family =
      prepare_family(std::move(input), method_of(options), options.confidence);
  const accord::Ensemble made =
      run::ensemble(family, {wanted.replicates, wanted.seed}, call_run.context());
  Ensemble ensemble;
  for (std::size_t r = 0; r < made.replicates.size(); ++r) {
    ensemble.replicates.push_back(
        {made.replicates[r].name(), replicate_of(family.input, made.replicates[r].aligned),
         made.agreement.column_confidence[r], made.agreement.agreement[r]});
  }
  ensemble.dispersion = made.agreement.dispersion;
  ensemble.best = made.agreement.best;
  const DeviceUse use = call_run.devices().use();
  const AlignResult& first = made.replicates.front().aligned;
  ensemble.replicates.front().alignment.report =
      format_report({family, first, use, call_run.meter(), "ensemble"}, made,
                    result_rows(make_alignment_text(family.set(), first.msa)), {});
  return ensemble;
}

}  // namespace

Ensemble ensemble(const std::vector<Sequence>& sequences, const EnsembleOptions& wanted,
                  const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    Ensemble made = ensemble_of(family_of(sequences, options, true), wanted, options);
    made.warnings = notices_of(scope);
    return made;
  });
}

std::string format(const Ensemble& ensemble) {
  std::string text;
  for (const Replicate& replicate : ensemble.replicates) {
    text += '<' + replicate.name + '\n' + format(replicate.alignment, "fasta");
  }
  return text;
}

}  // namespace accord::api
