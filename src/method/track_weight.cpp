// SPDX-License-Identifier: Apache-2.0
#include "method/track_weight.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/portable_math.hpp"
#include "method/family_posteriors.hpp"
#include "models/track_classes.hpp"

namespace accord {
namespace {

constexpr std::size_t kMostPairs = 120;
constexpr double kMostLogOdds = 4;    // in absolute value: rare pairs of letters decide nothing
constexpr std::int64_t kUnit = 1024;  // of log odds
/// The prior agreement counts as much as this many surely aligned residues whose track has one nat.
constexpr double kPriorResidues = 20;
constexpr double kPrior = 0.7;

/// How tracks are used. Chosen with the numbers above on training families
/// (docs/lab/2026-11/track.md).
struct TrackUse {
  /// Tracks of at most this agreement are worth nothing. Letters that are exchanged at random in
  /// each sequence reach it by chance in few families.
  double worthless;
  double worth_all;  ///< tracks of this agreement have the weight 1
  bool is_share;     ///< TrackParams::is_share
  /// Powers of the odds of classes for the weight 1. They are below 1, since neighbouring letters
  /// of a track depend on each other.
  double hmm_factor, partition_factor;
};
constexpr TrackUse kOfProteins = {0.15, 0.85, false, 0.5, 0.3};
/// The structure predicted of a nucleic acid is wrong in whole helices. So agreement is worth less,
/// and letters meet that never do so in known structures.
constexpr TrackUse kOfNucleotides = {0.3, 1, true, 0.3, 0.2};

const TrackUse& use_of(const AlignSettings& settings) {
  return settings.parameters.residues == ResidueKind::protein ? kOfProteins : kOfNucleotides;
}

std::int64_t in_units(double log_odds) {
  return std::llround(std::clamp(log_odds, -kMostLogOdds, kMostLogOdds) * kUnit);
}

/// The log odds of a table in integers.
class TrackScores {
 public:
  explicit TrackScores(const TrackTable& table) : table_(table) {
    const std::size_t count = table.letters.size();
    scores_.assign(count, std::vector<std::int64_t>(count));
    for (std::size_t a = 0; a < count; ++a) {
      double sum = 0, total = 0;
      for (std::size_t b = 0; b < count; ++b) {
        scores_[a][b] = in_units(table.log_odds[a][b]);
        const double share = table.frequencies[b] * portable_exp(table.log_odds[a][b]);
        sum += share * static_cast<double>(scores_[a][b]);
        total += share;
      }
      expected_.push_back(std::llround(sum / total));
    }
  }

  /// The places of the letters of a track in the table; size() for unknown.
  std::vector<std::size_t> places(const std::string& track) const {
    std::vector<std::size_t> found;
    for (const char letter : track) found.push_back(table_.place_of(letter).value_or(size()));
    return found;
  }
  std::size_t size() const { return scores_.size(); }
  std::int64_t score(std::size_t a, std::size_t b) const { return scores_[a][b]; }
  /// The mean score of the letters that are aligned with letter a.
  std::int64_t expected(std::size_t a) const { return expected_[a]; }

  /// The mean score of all residues of one track with all of another.
  std::int64_t by_chance(const std::vector<std::size_t>& x,
                         const std::vector<std::size_t>& y) const {
    const std::vector<std::int64_t> of_x = counts(x), of_y = counts(y);
    std::int64_t sum = 0, pairs = 0;
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b < size(); ++b) {
        sum += of_x[a] * of_y[b] * scores_[a][b];
        pairs += of_x[a] * of_y[b];
      }
    }
    return sum / std::max<std::int64_t>(pairs, 1);
  }

 private:
  std::vector<std::int64_t> counts(const std::vector<std::size_t>& places) const {
    std::vector<std::int64_t> counts(size() + 1);
    for (const std::size_t place : places) ++counts[place];
    return counts;
  }

  const TrackTable& table_;
  std::vector<std::vector<std::int64_t>> scores_;
  std::vector<std::int64_t> expected_;
};

std::vector<std::uint32_t> sequences_with_tracks(const SequenceSet& set,
                                                 const TrackClasses& classes) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    if (has_track(set, x, classes)) members.push_back(x);
  }
  return members;
}

/// At most kMostPairs pairs of sequences with tracks, spread evenly.
PairSet sampled_pairs(const SequenceSet& set, const TrackClasses& classes) {
  const std::vector<std::uint32_t> members = sequences_with_tracks(set, classes);
  const PairSet all = PairSet::all(members.size());
  const std::size_t count = std::min(all.size(), kMostPairs);
  std::vector<PairIndex> pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const PairIndex pair = all[k * all.size() / count];
    pairs.push_back({members[pair.x], members[pair.y]});
  }
  return PairSet::listed(set.size(), std::move(pairs));
}

/// The sums of estimate_track_weight().
struct Agreement {
  std::int64_t found = 0, possible = 0;

  void add(const SparseMatrix& matrix, const std::vector<std::size_t>& x,
           const std::vector<std::size_t>& y, const TrackScores& scores) {
    const std::int64_t chance = scores.by_chance(x, y);
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      if (x[i] == scores.size()) continue;
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
        if (y[j] == scores.size()) return;
        const std::int64_t p = units, a = scores.expected(x[i]), b = scores.expected(y[j]);
        found += p * (scores.score(x[i], y[j]) - chance);
        possible += p * p / ACCORD_UNITS_OF_ONE * ((a + b) / 2 - chance);
      });
    }
  }

  double share() const {
    constexpr double kOfPrior = kPriorResidues * kUnit * ACCORD_UNITS_OF_ONE;
    const double share = (static_cast<double>(found) + kPrior * kOfPrior) /
                         (static_cast<double>(std::max<std::int64_t>(possible, 0)) + kOfPrior);
    return std::clamp(share, 0.0, 1.0);
  }
};

/// The weight of the tracks of a family, see with_track_weight(); no value if there are none.
std::optional<TrackWeight> track_weight(const SequenceSet& set, const AlignSettings& settings,
                                        Scheduler& scheduler) {
  const TrackParams& track = settings.parameters.track;
  if (!track.classes) return std::nullopt;
  if (track.weight == 0.0) return TrackWeight{0};
  const std::string of_family = settings.label.empty() ? "" : settings.label + ": ";
  if (sequences_with_tracks(set, *track.classes).size() < 2) {
    log_warning(
        of_family +
            "tracks: fewer than two sequences have letters for half of their residues, so that "
            "tracks are not used",
        "give more sequences a track, with fewer '?'");
    return TrackWeight{0};
  }
  if (track.weight) return TrackWeight{*track.weight};
  const TrackWeight found = estimate_track_weight(set, settings, scheduler);
  if (found.weight == 0) {
    log_warning(
        of_family + "the tracks agree no more than by chance, and are not used",
        "check that {track-matrix} is the table of their letters; {track-weight} sets a weight");
  }
  return found;
}

}  // namespace

void use_tracks(const TrackSource& source, AlignSettings& settings) {
  if (!source.has_tracks()) return;
  if (settings.is_local()) {
    if (source.is_of_structures && source.weight == 0.0) return;
    throw Error(ErrorKind::usage,
                std::string(source.is_of_structures ? "structures" : "tracks") + " for the mode " +
                    to_string(settings.mode) + ", which has no posteriors",
                source.is_of_structures
                    ? "take the mode posterior; {track-weight=0} uses the sequences alone"
                    : "leave out {track}, or take the mode posterior");
  }
  settings.superposes = source.is_of_structures && source.weight != 0.0;
  set_track_table(source.table, source.weight, settings);
}

void set_track_table(std::shared_ptr<const TrackTable> table, std::optional<double> weight,
                     AlignSettings& settings) {
  TrackParams& track = settings.parameters.track;
  track.table = std::move(table);
  track.classes = std::make_shared<const TrackClasses>(reduce_track_letters(*track.table));
  track.weight = weight;
  const TrackUse& use = use_of(settings);
  track.is_share = use.is_share;
  track.hmm_factor = use.hmm_factor;
  track.partition_factor = use.partition_factor;
}

TrackWeight estimate_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                  Scheduler& scheduler) {
  const TrackParams& track = settings.parameters.track;
  const PairSet pairs = sampled_pairs(set, *track.classes);
  TrackWeight result;
  result.pairs = pairs.size();
  if (pairs.size() == 0) return result;
  Parameters by_letters = settings.parameters;
  by_letters.track = {};
  const PosteriorSet posteriors = compute_posteriors({set, by_letters}, pairs, scheduler);
  const TrackScores scores(*track.table);
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t x = 0; x < set.size(); ++x) places.push_back(scores.places(set.track(x)));
  Agreement agreement;
  for (std::size_t number = 0; number < pairs.size(); ++number) {
    const PairIndex pair = pairs[number];
    agreement.add(posteriors[number], places[pair.x], places[pair.y], scores);
  }
  result.agreement = agreement.share();
  const TrackUse& use = use_of(settings);
  result.weight =
      std::clamp((*result.agreement - use.worthless) / (use.worth_all - use.worthless), 0.0, 1.0);
  return result;
}

WeightedSettings with_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                   Scheduler& scheduler) {
  WeightedSettings weighted{settings, track_weight(set, settings, scheduler)};
  if (weighted.track) weighted.settings.parameters.track.weight = weighted.track->weight;
  return weighted;
}

}  // namespace accord
