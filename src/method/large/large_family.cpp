// SPDX-License-Identifier: Apache-2.0
#include "method/large/large_family.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "method/align_family.hpp"
#include "method/family_size.hpp"
#include "method/folding/base_pair_track.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/insertions.hpp"
#include "method/large/placed_confidence.hpp"
#include "method/large/placing.hpp"
#include "method/large/representatives.hpp"
#include "method/large/subset_alignment.hpp"
#include "method/large/uncertain_placements.hpp"
#include "method/stage_log.hpp"
#include "method/track_weight.hpp"

namespace accord {
namespace {

constexpr std::size_t kSegmentBackbone = 100;  // of a family of inserted segments

/// For each sequence of a family, the sequence of `distinct` that is equal to it.
std::vector<std::uint32_t> originals(const SequenceSet& set,
                                     std::span<const std::uint32_t> distinct) {
  std::vector<std::uint32_t> original(set.size());
  for (std::size_t d = 0; d < distinct.size(); ++d) {
    const std::size_t end = d + 1 < distinct.size() ? distinct[d + 1] : set.size();
    std::fill(original.begin() + distinct[d], original.begin() + static_cast<std::ptrdiff_t>(end),
              distinct[d]);
  }
  return original;
}

/// A large family in progress: the core, and the places of the other sequences in it.
class LargeFamily {
 public:
  LargeFamily(const SequenceSet& set, FamilyCore core, std::vector<PlacedSequence> placed,
              const AlignSettings& settings)
      : set_(set),
        settings_(settings),
        distinct_(distinct_sequences(set)),
        original_(originals(set, distinct_)),
        result_(std::move(core.aligned)),
        nearest_(core.nearest),
        are_genomes_(core.are_genomes),
        placed_(std::move(placed)) {
    part_.members = std::move(core.members);
    part_.msa = std::move(result_.msa);
    std::ranges::set_difference(distinct_, part_.members, std::back_inserter(others_));
  }

  AlignResult join(Scheduler& scheduler, const RunListener& listener) {
    StageLog log(result_.stages, listener);
    log.begin("insertions", "places", part_.msa.columns + 1);
    const std::size_t sure = move_uncertain_to_end();
    Placed combined =
        with_insertions(set_, part_, std::span(others_).first(sure), std::span(placed_).first(sure),
                        segment_aligner(scheduler), scheduler.cpus(), [&log] { log.advance(); });
    log.finish("insertions", counted(combined.msa.columns - part_.msa.columns, "column"));
    if (sure < others_.size()) {
      const std::size_t pairs =
          place_again(std::span(others_).subspan(sure), scheduler, listener.progress, combined);
      log.finish("uncertain",
                 counted(others_.size() - sure, "sequence") + ", " + counted(pairs, "pair"));
    }

    if (result_.confidence) {
      result_.confidence =
          placed_confidence(combined, part_, *result_.confidence, others_, placed_);
    }
    result_.msa = std::move(combined.msa);
    result_.backbone = Backbone{part_.members, std::move(result_.tree)};
    result_.tree = tree_of_all(*result_.backbone);
    copy_to_equal_ones();
    return std::move(result_);
  }

 private:
  SegmentAligner segment_aligner(Scheduler& scheduler) const {
    return
        [&](const SequenceSet& segments) { return align_segments(segments, settings_, scheduler); };
  }

  /// Moves the uncertain sequences of others_, and their placements, to the end. Returns the number
  /// of the others.
  std::size_t move_uncertain_to_end() {
    // A genome that is alike to no other is in the core.
    const std::vector<std::size_t> uncertain =
        are_genomes_ ? std::vector<std::size_t>() : uncertain_placements(placed_);
    std::vector<std::uint32_t> sequences;
    std::vector<PlacedSequence> in_order;
    for (const bool is_uncertain : {false, true}) {
      for (std::size_t k = 0; k < others_.size(); ++k) {
        if (std::ranges::binary_search(uncertain, k) != is_uncertain) continue;
        sequences.push_back(others_[k]);
        in_order.push_back(std::move(placed_[k]));
      }
    }
    others_ = std::move(sequences);
    placed_ = std::move(in_order);
    return others_.size() - uncertain.size();
  }

  /// Places `sequences`, the last of others_, again among all aligned sequences. Returns the number
  /// of pairs. Their nearest representatives stay those of the first placing.
  std::size_t place_again(std::span<const std::uint32_t> sequences, Scheduler& scheduler,
                          ProgressListener* progress, Placed& combined) {
    AlignedPart aligned;
    std::ranges::set_difference(distinct_, sequences, std::back_inserter(aligned.members));
    aligned.msa.columns = combined.msa.columns;
    for (const std::uint32_t x : aligned.members) {
      aligned.msa.column_of.push_back(std::move(combined.msa.column_of[x]));
    }
    const NearestMembers before =
        nearest_members(set_, sequences, part_.members, nearest_, nullptr);
    const Neighbours neighbours = neighbours_of(set_, sequences, aligned, part_.members, before);
    std::vector<PlacedSequence> again =
        place_sequences({set_, settings_.parameters}, neighbours.part, sequences,
                        neighbours.nearest, {settings_.confidence}, scheduler, progress);
    const std::vector<std::uint32_t> column_of_backbone = std::move(combined.column_of_part);
    combined = with_insertions(set_, aligned, sequences, again, segment_aligner(scheduler),
                               scheduler.cpus());
    const std::vector<std::uint32_t> column_of_aligned =
        std::exchange(combined.column_of_part, column_of_backbone);
    for (std::uint32_t& column : combined.column_of_part) column = column_of_aligned[column];
    const std::span<PlacedSequence> placed = std::span(placed_).last(sequences.size());
    for (std::size_t d = 0; d < sequences.size(); ++d) {
      again[d].nearest = placed[d].nearest;
      again[d].distance = placed[d].distance;
      placed[d] = std::move(again[d]);
    }
    return neighbours.nearest.pairs();
  }

  /// Copies the columns of each original sequence to the sequences equal to it.
  void copy_to_equal_ones() {
    std::optional<Confidence>& confidence = result_.confidence;
    for (std::size_t x = 0; x < set_.size(); ++x) {
      if (original_[x] == x) continue;
      result_.msa.column_of[x] = result_.msa.column_of[original_[x]];
      if (!confidence) continue;
      confidence->residue[x] = confidence->residue[original_[x]];
      for (const std::uint32_t c : result_.msa.column_of[x]) ++confidence->column_residues[c];
    }
  }

  GuideTree tree_of_all(const Backbone& backbone) const {
    std::vector<std::uint32_t> leaf(set_.size(), 0);  // in the tree of the backbone
    std::vector<float> distance(set_.size(), 0.0f);
    for (std::uint32_t m = 0; m < backbone.members.size(); ++m) leaf[backbone.members[m]] = m;
    for (std::size_t k = 0; k < others_.size(); ++k) {
      leaf[others_[k]] = placed_[k].nearest;
      distance[others_[k]] = placed_[k].distance;
    }
    std::vector<Attachment> attachments;
    for (std::uint32_t x = 0; x < set_.size(); ++x) {
      if (std::ranges::binary_search(backbone.members, x)) continue;
      attachments.push_back({x, leaf[original_[x]], distance[original_[x]]});
    }
    return attached_tree(backbone.tree, backbone.members, std::move(attachments), set_.size());
  }

  const SequenceSet& set_;
  const AlignSettings& settings_;
  const std::vector<std::uint32_t> distinct_;
  const std::vector<std::uint32_t> original_;  // [sequence]: the distinct sequence equal to it
  AlignResult result_;                         // starts as the result of the core
  const std::size_t nearest_;                  // FamilyCore::nearest
  const bool are_genomes_;
  AlignedPart part_;
  std::vector<std::uint32_t> others_;   // distinct, not in the core; placed again: last
  std::vector<PlacedSequence> placed_;  // [index in others_]
};

/// Aligns the core of a family of genomes, see genome_backbone().
FamilyCore genome_core(const SequenceSet& set, std::vector<std::uint32_t> members,
                       const AlignSettings& settings, Scheduler& scheduler,
                       const RunListener& listener) {
  FamilyCore core;
  core.members = std::move(members);
  core.aligned = align_family(set.subset(core.members), settings, scheduler, listener);
  core.nearest = kGenomesNearest;
  core.are_genomes = true;
  return core;
}

/// Warns of structures that are placed by their letters and tracks alone.
void warn_of_letters_alone(const SequenceSet& set, std::span<const std::uint32_t> others,
                           const AlignSettings& settings) {
  if (!settings.superposes) return;
  const auto count =
      std::ranges::count_if(others, [&](const std::uint32_t x) { return !set.trace(x).empty(); });
  if (count == 0) return;
  log_warning((settings.label.empty() ? "" : settings.label + ": ") +
                  counted(static_cast<std::size_t>(count), "structure") +
                  " of a large family placed by letters alone; only its backbone is superposed",
              "{large=never} superposes all pairs");
}

/// Steps two and three of align_large_family().
AlignResult place_and_join(const SequenceSet& set, FamilyCore core, const AlignSettings& settings,
                           Scheduler& scheduler, const RunListener& listener) {
  std::vector<StageRecord> stages;
  const std::vector<std::uint32_t> others = sequences_to_place(set, core);
  warn_of_letters_alone(set, others, settings);
  std::vector<PlacedSequence> placed =
      place_in_core(set, core, others, settings, scheduler, stages, listener);
  std::ranges::move(stages, std::back_inserter(core.aligned.stages));
  return join_placed(set, std::move(core), std::move(placed), settings, scheduler, listener);
}

/// Aligns a family whose tracks, if it has any, have a weight.
AlignResult align_weighted(const SequenceSet& set, const AlignSettings& settings,
                           const FamilyPlan& plan, Scheduler& scheduler,
                           const RunListener& listener) {
  if (plan.genomes) {
    return place_and_join(set, genome_core(set, *plan.genomes, settings, scheduler, listener),
                          settings, scheduler, listener);
  }
  if (plan.is_large() && plan.by_subsets) {
    return align_by_subsets(set, plan.backbone, settings, scheduler, listener);
  }
  return plan.is_large() ? align_large_family(set, plan.backbone, settings, scheduler, listener)
                         : align_family(set, settings, scheduler, listener);
}

/// Aligns a family of RNA once more, with the base pairs that are predicted from its alignment, if
/// they can help.
void align_with_base_pairs(const SequenceSet& set, const AlignSettings& settings,
                           Scheduler& scheduler, const RunListener& listener, AlignResult& result) {
  if (!can_fold(set, settings)) return;
  StageLog log(result.stages, listener);
  log.begin("fold");
  const std::optional<FoldedFamily> folded = fold_family(set, settings, result.msa, scheduler);
  log.finish("fold", counted(set.size(), "sequence") +
                         (folded ? formatted(", identity %.3f, agreement %.3f", folded->identity,
                                             *folded->weight.agreement)
                                 : std::string(", too alike, or without common base pairs")));
  if (!folded) return;
  std::vector<StageRecord> stages = std::move(result.stages);
  result = align_family(folded->set, folded->settings, scheduler, listener);
  result.stages.insert(result.stages.begin(), std::make_move_iterator(stages.begin()),
                       std::make_move_iterator(stages.end()));
  result.facts.track = folded->weight;
  for (std::size_t x = 0; x < set.size(); ++x) {
    result.facts.base_pairs.push_back(folded->set.track(x));
  }
}

}  // namespace

AlignResult align_sequences(const SequenceSet& set, const AlignSettings& settings,
                            const FamilyPlan& plan, Scheduler& scheduler,
                            const RunListener& listener) {
  const WeightedSettings weighted = with_track_weight(set, settings, scheduler);
  AlignResult result = align_weighted(set, weighted.settings, plan, scheduler, listener);
  if (!plan.is_large()) align_with_base_pairs(set, weighted.settings, scheduler, listener, result);
  if (weighted.track) result.facts.track = weighted.track;
  return result;
}

FamilyCore align_core(const SequenceSet& set, std::size_t backbone, const AlignSettings& settings,
                      Scheduler& scheduler, const RunListener& listener) {
  if (settings.tree == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "the guide tree of " + settings.tree_file + " has all " +
                    counted(set.size(), "sequence") + ", but only a backbone of " +
                    std::to_string(backbone) + " is aligned along a tree",
                "leave out {tree}, or try {large=never}");
  }
  FamilyCore core;
  core.members = select_backbone(set, distinct_sequences(set), backbone);
  core.aligned = align_family(set.subset(core.members), settings, scheduler, listener);
  core.nearest = nearest_count(set.lengths(),
                               std::min(settings.large_effort.most_members, core.members.size()));
  return core;
}

std::vector<std::uint32_t> sequences_to_place(const SequenceSet& set, const FamilyCore& core) {
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(distinct, core.members, std::back_inserter(others));
  return others;
}

std::vector<PlacedSequence> place_in_core(const SequenceSet& set, const FamilyCore& core,
                                          std::span<const std::uint32_t> sequences,
                                          const AlignSettings& settings, Scheduler& scheduler,
                                          std::vector<StageRecord>& stages,
                                          const RunListener& listener) {
  StageLog log(stages, listener);
  const NearestMembers nearest =
      core.are_genomes
          ? nearest_genomes(set, sequences, core.members).nearest
          : nearest_members(set, sequences, core.members, core.nearest, listener.progress);
  log.finish("nearest", counted(sequences.size(), "sequence") + ", " +
                            counted(nearest.most(), "representative each", "representatives each"));
  std::vector<PlacedSequence> placed = place_sequences(
      {set, settings.parameters}, {core.members, core.aligned.msa}, sequences, nearest,
      {settings.confidence, settings.large_effort}, scheduler, listener.progress);
  log.finish("place", counted(sequences.size(), "sequence"));
  return placed;
}

AlignResult join_placed(const SequenceSet& set, FamilyCore core, std::vector<PlacedSequence> placed,
                        const AlignSettings& settings, Scheduler& scheduler,
                        const RunListener& listener) {
  return LargeFamily(set, std::move(core), std::move(placed), settings).join(scheduler, listener);
}

AlignResult align_large_family(const SequenceSet& set, std::size_t backbone,
                               const AlignSettings& settings, Scheduler& scheduler,
                               const RunListener& listener) {
  return place_and_join(set, align_core(set, backbone, settings, scheduler, listener), settings,
                        scheduler, listener);
}

Msa align_segments(const SequenceSet& segments, const AlignSettings& settings,
                   Scheduler& scheduler) {
  AlignSettings of_segments = settings;
  of_segments.confidence = false;
  if (segments.size() <= kSegmentBackbone)
    return align_family(segments, of_segments, scheduler).msa;
  AlignedPart part;
  std::vector<std::uint32_t> all(segments.size());
  std::iota(all.begin(), all.end(), 0u);
  part.members = select_representatives(segments, all, kSegmentBackbone);
  part.msa = align_family(segments.subset(part.members), of_segments, scheduler).msa;
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(all, part.members, std::back_inserter(others));
  const NearestMembers nearest =
      nearest_members(segments, others, part.members, kLeastNearest, nullptr);
  const std::vector<PlacedSequence> placed = place_sequences(
      {segments, of_segments.parameters}, part, others, nearest, {}, scheduler, nullptr);
  return with_insertions(segments, part, others, placed, side_by_side, scheduler.cpus()).msa;
}

}  // namespace accord
