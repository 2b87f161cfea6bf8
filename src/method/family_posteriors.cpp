// SPDX-License-Identifier: Apache-2.0
#include "method/family_posteriors.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "stages/posteriors/posterior_request.hpp"

namespace accord {
namespace {

/// The wanted pairs, apart: those of two sequences with tracks, and the others.
struct PairsByTrack {
  PairSet with, without;
};

PairsByTrack pairs_by_track(const PosteriorFamily& family, const PairSet& wanted) {
  const std::size_t n = family.set.size();
  std::vector<PairIndex> with, without;
  for (std::uint32_t y = 0; y < n; ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      (family.has_track_of(x) && family.has_track_of(y) ? with : without).push_back({x, y});
    }
  }
  // A set that lists its pairs takes more memory.
  if (without.empty()) return {wanted, PairSet::listed(n, {})};
  return {PairSet::listed(n, std::move(with)), PairSet::listed(n, std::move(without))};
}

/// Computes the pairs by the letters and their contexts alone. Returns what for_each_posterior
/// does.
PieceCount compute_by_letters(const PosteriorFamily& family, const PairSet& wanted,
                              Scheduler& scheduler, const PosteriorSink& sink,
                              ProgressListener* progress) {
  PieceCount count;
  const std::optional<PairSet> rest =
      compute_in_pieces(family, wanted, scheduler, sink, count, progress);
  if (!rest || rest->size() > 0) {
    request_posteriors(family, rest ? *rest : wanted, scheduler, sink, progress);
  }
  return count;
}

}  // namespace

PieceCount for_each_posterior(const PosteriorFamily& family, const PairSet& wanted,
                              Scheduler& scheduler, const PosteriorSink& sink,
                              ProgressListener* progress) {
  PieceCount count;
  if (family.of_tracks() == nullptr) {
    count = compute_by_letters(family, wanted, scheduler, sink, progress);
  } else {
    const PairsByTrack pairs = pairs_by_track(family, wanted);
    request_posteriors(*family.of_tracks(), pairs.with, scheduler, sink, progress);
    if (pairs.without.size() > 0) {
      count = compute_by_letters(family, pairs.without, scheduler, sink, progress);
    }
  }
  const SequenceSet& set = family.set;
  // Pairs with an empty sequence are in no batch, but their matrices still have a shape.
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    if (set.length(y) > 0) continue;
    for (const std::uint32_t x : wanted.partners(y)) {
      sink(x, y, SparseMatrix(set.length(x), 0, {}));
    }
  }
  return count;
}

PosteriorSet compute_posteriors(const PosteriorFamily& family, const PairSet& wanted,
                                Scheduler& scheduler, ProgressListener* progress) {
  PosteriorSet matrices(wanted);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    matrices.at(x, y) = std::move(pair.matrix);
  };
  for_each_posterior(family, wanted, scheduler, keep, progress);
  return matrices;
}

Confidence compute_confidence(const Msa& msa, const SequenceSet& set, const AlignSettings& settings,
                              Scheduler& scheduler, ProgressListener* progress) {
  return alignment_confidence(
      msa, compute_posteriors({set, settings.parameters}, PairSet::all(set.size()), scheduler,
                              progress));
}

DistanceMatrix compute_distances(const SequenceSet& set, const AlignSettings& settings,
                                 Scheduler& scheduler, ProgressListener* progress) {
  DistanceMatrix distances(set.size());
  const auto keep = [&](std::uint32_t x, std::uint32_t y, const PairPosterior& pair) {
    distances.set(x, y, pair.distance());
  };
  for_each_posterior({set, settings.parameters}, PairSet::all(set.size()), scheduler, keep,
                     progress);
  return distances;
}

}  // namespace accord
