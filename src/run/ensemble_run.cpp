// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble_run.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/random_bits.hpp"
#include "base/text.hpp"
#include "core/guide_tree.hpp"
#include "method/align_along_trees.hpp"
#include "method/align_family.hpp"
#include "method/folding/base_pair_track.hpp"
#include "method/large/large_family.hpp"
#include "method/track_weight.hpp"
#include "run/alignment_stages.hpp"
#include "run/compare_run.hpp"
#include "run/estimate/estimate.hpp"
#include "run/report/html_page.hpp"
#include "run/report/result_page.hpp"

namespace accord::run {
namespace {

/// The number of parameter sets, and the largest number of trees of a set.
struct ReplicateCounts {
  std::size_t sets, trees;
};

ReplicateCounts replicate_counts(std::size_t replicates, bool has_tree_noise) {
  if (!has_tree_noise) return {replicates, 1};
  const std::size_t sets = parameter_sets(replicates);
  return {sets, (replicates + sets - 1) / sets};
}

void check_options(const AlignSettings& settings, const EnsembleOptions& options) {
  if (options.replicates == 0) {
    throw Error(ErrorKind::usage, "an ensemble of no replicates", "take at least 1");
  }
  constexpr std::size_t kMost = 1000;
  if (options.replicates > kMost) {
    throw Error(ErrorKind::usage,
                "an ensemble of " + std::to_string(options.replicates) + " replicates: too many",
                "take at most " + std::to_string(kMost));
  }
  if (settings.is_local()) {
    throw Error(ErrorKind::usage,
                std::string("an ensemble in the mode ") + to_string(settings.mode) +
                    ": only the parameters of the mode posterior have a spread",
                "leave out {mode}");
  }
}

/// The replicates of one parameter set.
struct Stratum {
  std::size_t number;      ///< of the parameters
  std::size_t trees;       ///< along which the family is aligned
  const GuideTree* given;  ///< the first tree; null: built for these parameters
};

/// `set`, `settings`: those of the family with the weight of its tracks.
std::vector<Replicate> align_stratum(const SequenceSet& set, const AlignSettings& settings,
                                     const FamilyPlan& plan, std::uint64_t seed,
                                     const Stratum& stratum, Scheduler& scheduler,
                                     const RunListener& listener) {
  const std::size_t p = stratum.number;
  AlignSettings of_these = settings;
  ParameterFactors factors;
  if (p > 0) {
    factors = draw_factors(random_bits_of({seed, p}));
    of_these.parameters = with_factors(std::move(of_these.parameters), factors);
  }
  std::vector<DistanceNoise> others;
  for (std::size_t t = 1; t < stratum.trees; ++t) {
    others.push_back({random_bits_of({seed, p, t}), kTreeSpread});
  }
  std::vector<Replicate> replicates;
  if (plan.is_large()) {
    replicates.push_back(
        {p, 0, factors, align_sequences(set, of_these, plan, scheduler, listener)});
    return replicates;
  }
  for (AlignResult& aligned :
       align_along_trees(set, of_these, {stratum.given, others}, scheduler, listener)) {
    replicates.push_back({p, replicates.size(), factors, std::move(aligned)});
  }
  return replicates;
}

/// The text in front of the names of the stages of a parameter set.
std::string prefix_of(std::size_t number, std::size_t sets) {
  return "parameters " + std::to_string(number + 1) + " of " + std::to_string(sets) + ", ";
}

/// The stages of all parameter sets; each tree of a set has its refinement.
std::vector<ExpectedStage> stages_of(const std::vector<ExpectedStage>& of_alignment,
                                     const ReplicateCounts& counts) {
  std::vector<ExpectedStage> stages;
  for (std::size_t p = 0; p < counts.sets; ++p) {
    for (ExpectedStage stage : of_alignment) {
      const std::size_t times = stage.name == "refine" ? counts.trees : 1;
      stage.name = prefix_of(p, counts.sets) + stage.name;
      stages.insert(stages.end(), times, stage);
    }
  }
  return stages;
}

/// Passes on the progress of one parameter set. The names of its stages have its number in front.
class SetProgress : public ProgressListener {
 public:
  /// `listener` may be null; progress() is then null, too.
  SetProgress(ProgressListener* listener, std::size_t number, std::size_t sets)
      : listener_(listener), prefix_(prefix_of(number, sets)) {}

  ProgressListener* progress() { return listener_ == nullptr ? nullptr : this; }
  void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
             std::uint64_t work) override {
    listener_->begin(prefix_ + stage, unit, items, work);
  }
  void advance(std::uint64_t items, std::uint64_t work) override {
    listener_->advance(items, work);
  }

 private:
  ProgressListener* listener_;
  std::string prefix_;
};

/// The shown rows of the replicates. The place of the confidence of columns has their confidence in
/// the ensemble.
struct ShownRows {
  std::vector<AlignmentText> texts;  ///< of each replicate
  bool are_all = true;               ///< whether they are all rows of the family
};

ShownRows shown_rows(const AlignRun& run, const Ensemble& ensemble, LetterCase letter_case) {
  const SequenceSet& set = run.family.set();
  const std::size_t count = ensemble.replicates.size(), residues = residue_count(run.result.msa);
  ShownRows shown;
  shown.are_all = fits_page(set.size(), count * residues);
  std::vector<std::size_t> some;
  if (!shown.are_all) {
    constexpr std::size_t kLeast = 2;
    const std::size_t fitting =
        kMostPageResidues * set.size() / std::max<std::size_t>(1, count * residues);
    some = representative_rows(set, std::clamp(fitting, kLeast, kRepresentativePageRows));
  }
  const RowStyle style{letter_case, shown.are_all ? &run.result.tree : nullptr};
  for (std::size_t r = 0; r < count; ++r) {
    AlignmentText text =
        make_alignment_text(set, ensemble.replicates[r].aligned.msa, nullptr, style);
    text.column_confidence = ensemble.agreement.column_confidence[r];
    shown.texts.push_back(shown.are_all ? std::move(text) : with_rows(std::move(text), some));
  }
  return shown;
}

/// The agreement of each replicate with the others.
std::vector<Comparison> agreements(const std::vector<AlignmentText>& texts) {
  std::vector<AlignedRows> others;
  for (const AlignmentText& text : texts) others.push_back({text.names, text.rows.texts(), {}, {}});
  AlignedRows one = std::move(others.front());
  others.erase(others.begin());
  const std::vector<std::string> labels(others.size());
  std::vector<Comparison> found;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    found.push_back(compare(one, others, labels, {.marks = true}));
    if (r < others.size()) std::swap(one, others[r]);  // the others stay in order
  }
  return found;
}

/// A replicate as the page has it: its agreement is in the place of the confidence.
PageAlternative shown_replicate(const Ensemble& ensemble, std::size_t r, AlignmentText text,
                                const Comparison& found) {
  PageAlternative shown;
  shown.name = ensemble.replicates[r].name();
  if (r == ensemble.agreement.best) shown.name += " (best)";
  shown.mean = found.summary.mean();
  shown.tracks = {{"same column", std::exchange(text.column_confidence, {})}};
  put_agreement(text, *found.marks);
  shown.alignment = std::move(text);
  return shown;
}

}  // namespace

std::size_t parameter_sets(std::size_t replicates) {
  std::size_t sets = 1;
  while (sets * sets < replicates) ++sets;
  return sets;
}

Ensemble ensemble(const PreparedFamily& family, const EnsembleOptions& options,
                  const RunContext& context) {
  const AlignSettings& settings = family.settings;
  check_options(settings, options);
  check_memory(family, thread_count(), context.memory_budget, FamilyOutput::alignment,
               options.replicates);
  announce_consistency(settings, family.plan.backbone, context.devices);
  const ReplicateCounts counts = replicate_counts(
      options.replicates, settings.tree != TreeMethod::file && !family.plan.is_large());
  expect_stages(stages_of(stages_of_alignment(family, context), counts), context);
  Ensemble ensemble;
  ensemble.options = options;
  ensemble.replicates = context.devices.compute([&](Scheduler& scheduler) {
    const WeightedSettings weighted = with_track_weight(family.set(), settings, scheduler);
    std::optional<FoldedFamily> folded;
    if (!family.plan.is_large() && can_fold(family.set(), weighted.settings)) {
      const Msa first = align_family(family.set(), weighted.settings, scheduler).msa;
      folded = fold_family(family.set(), weighted.settings, first, scheduler);
    }
    const SequenceSet& set = folded ? folded->set : family.set();
    const AlignSettings& of_replicates = folded ? folded->settings : weighted.settings;
    std::vector<Replicate> replicates;
    for (std::size_t p = 0; replicates.size() < options.replicates; ++p) {
      // The tree of a file is read once.
      const bool has_tree = p > 0 && settings.tree == TreeMethod::file;
      const Stratum stratum{p, std::min(counts.trees, options.replicates - replicates.size()),
                            has_tree ? &replicates.front().aligned.tree : nullptr};
      SetProgress progress(context.listener.progress, p, counts.sets);
      RunListener listener = context.listener;
      listener.progress = progress.progress();
      for (Replicate& replicate : align_stratum(set, of_replicates, family.plan, options.seed,
                                                stratum, scheduler, listener)) {
        replicate.aligned.facts.track = folded ? std::optional(folded->weight) : weighted.track;
        replicates.push_back(std::move(replicate));
      }
    }
    return replicates;
  });
  std::vector<const Msa*> alignments;
  for (const Replicate& replicate : ensemble.replicates) {
    alignments.push_back(&replicate.aligned.msa);
  }
  ensemble.agreement = agreement_of(alignments);
  return ensemble;
}

std::string ensemble_page(const AlignRun& run, const Ensemble& ensemble, const std::string& report,
                          LetterCase letter_case) {
  ShownRows rows = shown_rows(run, ensemble, letter_case);
  const std::vector<Comparison> found = agreements(rows.texts);
  std::vector<PageAlternative> replicates;
  for (std::size_t r = 0; r < found.size(); ++r) {
    replicates.push_back(shown_replicate(ensemble, r, std::move(rows.texts[r]), found[r]));
  }
  PageAlternative& first = replicates.front();
  PageParts parts{page_title(run.family.input) + ": ensemble", first.mean,
                  rows.are_all ? &run.result.tree : nullptr, report};
  parts.measure = {
      "agreement", std::move(first.tracks),
      "Agreement is the share of the aligned pairs that the other replicates have, in "
      "the mean over them: of a residue of its pairs, of a column of all of its pairs. "
      "The bars of the same column are the share of the replicates that have a column "
      "of the same residues. The tree is that of the first replicate."};
  parts.name = std::move(first.name);
  parts.is_part = !rows.are_all;
  parts.is_confidence_of_trim = false;
  if (parts.is_part) {
    parts.title += ", " + std::to_string(first.alignment.rows.size()) + " of " +
                   counted(run.family.set().size(), "sequence");
  }
  const AlignmentText shown = std::move(first.alignment);
  replicates.erase(replicates.begin());
  parts.others = std::move(replicates);
  return format_page(shown, parts);
}

}  // namespace accord::run
