// SPDX-License-Identifier: Apache-2.0
#include "method/large/large_family.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "method/family_size.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/insertions.hpp"
#include "method/large/placed_confidence.hpp"
#include "method/large/placing.hpp"
#include "method/large/representatives.hpp"
#include "method/large/uncertain_placements.hpp"
#include "method/stage_log.hpp"

namespace accord {
namespace {

constexpr std::size_t kSegmentBackbone = 100;  // of a family of inserted segments

/// For each sequence of a family the one of `distinct` that it is, or is equal to.
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

/// A large family on its way.
class LargeFamily {
 public:
  LargeFamily(const SequenceSet& set, std::size_t backbone, const AlignSettings& settings)
      : LargeFamily(set, settings) {
    set_backbone(select_backbone(set, distinct_, backbone));
  }

  /// A family of genomes, see genome_backbone().
  LargeFamily(const SequenceSet& set, std::vector<std::uint32_t> genomes,
              const AlignSettings& settings)
      : LargeFamily(set, settings) {
    are_genomes_ = true;
    set_backbone(std::move(genomes));
  }

  AlignResult align(Scheduler& scheduler, const RunListener& listener) {
    AlignResult result = align_family(set_.subset(part_.members), settings_, scheduler, listener);
    part_.msa = std::move(result.msa);
    StageLog log(result.stages, listener);
    const NearestMembers nearest =
        are_genomes_ ? nearest_genomes(set_, others_, part_.members).nearest
                     : nearest_members(set_, others_, part_.members,
                                       nearest_count(set_.lengths(),
                                                     std::min(kMostNearest, part_.members.size())),
                                       listener.progress);
    log.finish("nearest", format_count(others_.size(), "sequences, ") +
                              format_count(nearest.each, "representatives each"));

    const PosteriorFamily family(set_, settings_.parameters);
    std::vector<PlacedSequence> placed = place_in_steps(
        family, part_, others_, nearest, {settings_.confidence}, scheduler, listener.progress);
    log.finish("place", format_count(others_.size(), "sequences"));

    log.begin("insertions", "places", part_.msa.columns + 1);
    // A genome that is alike to none stands in the backbone.
    const std::vector<std::size_t> uncertain =
        are_genomes_ ? std::vector<std::size_t>() : uncertain_placements(placed);
    const NearestMembers before = nearest.of_some(uncertain);
    move_to_end(uncertain, placed);
    const std::size_t sure = others_.size() - uncertain.size();
    Placed combined =
        with_insertions(set_, part_, std::span(others_).first(sure), std::span(placed).first(sure),
                        segment_aligner(scheduler), [&log] { log.advance(); });
    log.finish("insertions", format_count(combined.msa.columns - part_.msa.columns, "columns"));
    if (!uncertain.empty()) {
      const std::size_t pairs =
          place_again(std::span(others_).subspan(sure), before, family, scheduler,
                      listener.progress, std::span(placed).subspan(sure), combined);
      log.finish("uncertain",
                 format_count(uncertain.size(), "sequences, ") + format_count(pairs, "pairs"));
    }

    if (result.confidence) {
      result.confidence = placed_confidence(combined, part_, *result.confidence, others_, placed);
    }
    result.msa = std::move(combined.msa);
    result.backbone = Backbone{part_.members, std::move(result.tree)};
    result.tree = tree_of_all(*result.backbone, placed);
    copy_to_equal_ones(result);
    return result;
  }

 private:
  LargeFamily(const SequenceSet& set, const AlignSettings& settings)
      : set_(set),
        settings_(settings),
        distinct_(distinct_sequences(set)),
        original_(originals(set, distinct_)) {}

  void set_backbone(std::vector<std::uint32_t> members) {
    part_.members = std::move(members);
    std::ranges::set_difference(distinct_, part_.members, std::back_inserter(others_));
  }

  SegmentAligner segment_aligner(Scheduler& scheduler) const {
    return
        [&](const SequenceSet& segments) { return align_segments(segments, settings_, scheduler); };
  }

  /// Moves some of the sequences that are not in the backbone, and where they are placed, behind
  /// the others.
  void move_to_end(std::span<const std::size_t> uncertain, std::vector<PlacedSequence>& placed) {
    std::vector<std::uint32_t> sequences;
    std::vector<PlacedSequence> in_order;
    for (const bool is_uncertain : {false, true}) {
      for (std::size_t k = 0; k < others_.size(); ++k) {
        if (std::ranges::binary_search(uncertain, k) != is_uncertain) continue;
        sequences.push_back(others_[k]);
        in_order.push_back(std::move(placed[k]));
      }
    }
    others_ = std::move(sequences);
    placed = std::move(in_order);
  }

  /// Places sequences again, among all that is aligned, and returns the number of pairs. Their
  /// nearest representatives remain those of the first placing.
  std::size_t place_again(std::span<const std::uint32_t> sequences, const NearestMembers& before,
                          const PosteriorFamily& family, Scheduler& scheduler,
                          ProgressListener* progress, std::span<PlacedSequence> placed,
                          Placed& combined) const {
    AlignedPart aligned;
    std::ranges::set_difference(distinct_, sequences, std::back_inserter(aligned.members));
    aligned.msa.columns = combined.msa.columns;
    for (const std::uint32_t x : aligned.members) {
      aligned.msa.column_of.push_back(std::move(combined.msa.column_of[x]));
    }
    const Neighbours neighbours = neighbours_of(set_, sequences, aligned, part_.members, before);
    std::vector<PlacedSequence> again =
        place_sequences(family, neighbours.part, sequences, neighbours.nearest,
                        {settings_.confidence}, scheduler, progress);
    const std::vector<std::uint32_t> column_of_backbone = std::move(combined.column_of_part);
    combined = with_insertions(set_, aligned, sequences, again, segment_aligner(scheduler));
    const std::vector<std::uint32_t> column_of_aligned =
        std::exchange(combined.column_of_part, column_of_backbone);
    for (std::uint32_t& column : combined.column_of_part) column = column_of_aligned[column];
    for (std::size_t d = 0; d < sequences.size(); ++d) {
      again[d].nearest = placed[d].nearest;
      again[d].distance = placed[d].distance;
      placed[d] = std::move(again[d]);
    }
    return neighbours.nearest.places.size();
  }

  /// Of equal sequences all stand where the first one does.
  void copy_to_equal_ones(AlignResult& result) const {
    for (std::size_t x = 0; x < set_.size(); ++x) {
      if (original_[x] == x) continue;
      result.msa.column_of[x] = result.msa.column_of[original_[x]];
      if (result.confidence) {
        result.confidence->residue[x] = result.confidence->residue[original_[x]];
        for (const std::uint32_t c : result.msa.column_of[x]) {
          ++result.confidence->column_residues[c];
        }
      }
    }
  }

  GuideTree tree_of_all(const Backbone& backbone, std::span<const PlacedSequence> placed) const {
    std::vector<std::uint32_t> leaf(set_.size(), 0);  // of the backbone's tree
    std::vector<float> distance(set_.size(), 0.0f);
    for (std::uint32_t m = 0; m < backbone.members.size(); ++m) leaf[backbone.members[m]] = m;
    for (std::size_t k = 0; k < others_.size(); ++k) {
      leaf[others_[k]] = placed[k].nearest;
      distance[others_[k]] = placed[k].distance;
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
  const std::vector<std::uint32_t> original_;  // of each sequence
  bool are_genomes_ = false;
  AlignedPart part_;
  std::vector<std::uint32_t> others_;  // distinct, not in the backbone, those placed again last
};

}  // namespace

AlignResult align_sequences(const SequenceSet& set, const AlignSettings& settings,
                            Scheduler& scheduler, const RunListener& listener) {
  if (auto genomes = genome_backbone(set, settings)) {
    return LargeFamily(set, std::move(*genomes), settings).align(scheduler, listener);
  }
  const std::size_t backbone = backbone_size(set.lengths(), settings);
  return backbone < set.size() ? align_large_family(set, backbone, settings, scheduler, listener)
                               : align_family(set, settings, scheduler, listener);
}

AlignResult align_large_family(const SequenceSet& set, std::size_t backbone,
                               const AlignSettings& settings, Scheduler& scheduler,
                               const RunListener& listener) {
  if (settings.tree == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "the guide tree of " + settings.tree_file + " is for all of " +
                    std::to_string(set.size()) + " sequences, of which only a backbone of " +
                    std::to_string(backbone) + " is aligned along a tree",
                "leave out {tree}, or try {large=never}");
  }
  return LargeFamily(set, backbone, settings).align(scheduler, listener);
}

Msa align_segments(const SequenceSet& segments, const AlignSettings& settings,
                   Scheduler& scheduler) {
  AlignSettings own = settings;
  own.confidence = false;
  if (segments.size() <= kSegmentBackbone) return align_family(segments, own, scheduler).msa;
  AlignedPart part;
  std::vector<std::uint32_t> all(segments.size());
  std::iota(all.begin(), all.end(), 0u);
  part.members = select_representatives(segments, all, kSegmentBackbone);
  part.msa = align_family(segments.subset(part.members), own, scheduler).msa;
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(all, part.members, std::back_inserter(others));
  const NearestMembers nearest =
      nearest_members(segments, others, part.members, kLeastNearest, nullptr);
  const std::vector<PlacedSequence> placed =
      place_sequences({segments, own.parameters}, part, others, nearest, {}, scheduler, nullptr);
  return with_insertions(segments, part, others, placed, side_by_side).msa;
}

}  // namespace accord
