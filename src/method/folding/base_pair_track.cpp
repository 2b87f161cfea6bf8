// SPDX-License-Identifier: Apache-2.0
#include "method/folding/base_pair_track.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/parallel.hpp"
#include "base/portable_math.hpp"
#include "method/folding/base_pairs.hpp"
#include "method/folding/loop_weights.hpp"
#include "method/track_weight.hpp"
#include "models/track_table.hpp"

namespace accord {
namespace {

using PairsOfSequences = std::vector<std::vector<BasePair>>;  // [canonical index]

/// The sum of the identical pairs of residues in all columns, divided by that of all pairs.
double identity_of(const std::vector<std::vector<std::uint8_t>>& bases, const Msa& msa) {
  std::vector<std::array<double, 5>> counts(msa.columns);
  for (std::size_t x = 0; x < bases.size(); ++x) {
    for (std::size_t i = 0; i < bases[x].size(); ++i) ++counts[msa.column_of[x][i]][bases[x][i]];
  }
  const auto pairs = [](double n) { return n * (n - 1) / 2; };
  double identical = 0, all = 0;
  for (const std::array<double, 5>& of_column : counts) {
    double n = 0;
    for (const double count : of_column) {
      identical += pairs(count);
      n += count;
    }
    all += pairs(n);
  }
  return all > 0 ? identical / all : 1;
}

/// The probabilities of pairs of columns, summed over the sequences.
class ColumnPairs {
 public:
  ColumnPairs(const PairsOfSequences& pairs, const Msa& msa)
      : columns_(msa.columns), sums_(columns_ * columns_) {
    for (std::size_t x = 0; x < pairs.size(); ++x) {
      for (const BasePair& pair : pairs[x]) {
        at(msa.column_of[x][pair.first], msa.column_of[x][pair.second]) += pair.probability;
      }
    }
  }

  double sum(std::size_t first, std::size_t second) const {
    return sums_[first * columns_ + second];
  }

 private:
  double& at(std::size_t first, std::size_t second) { return sums_[first * columns_ + second]; }

  std::size_t columns_;
  std::vector<double> sums_;
};

/// The base pairs of a sequence, folded with the mean of those of the other sequences.
std::vector<BasePair> fold_with_others(const std::vector<std::uint8_t>& bases,
                                       const std::vector<BasePair>& alone,
                                       const std::vector<std::uint32_t>& column_of,
                                       const ColumnPairs& columns, std::size_t sequences) {
  constexpr double kLittle = 0.05, kPower = 0.6;
  std::vector<double> of_this(bases.size() * bases.size());
  for (const BasePair& pair : alone) {
    of_this[pair.first * bases.size() + pair.second] = pair.probability;
  }
  std::vector<double> factors(bases.size() * bases.size(), 1);
  for (std::size_t i = 0; i < bases.size(); ++i) {
    for (std::size_t j = i + 1; j < bases.size(); ++j) {
      if (!LoopWeights::can_pair(bases, i, j)) continue;
      const std::size_t place = i * bases.size() + j;
      const double others =
          std::max(0.0, columns.sum(column_of[i], column_of[j]) - of_this[place]) /
          static_cast<double>(sequences - 1);
      if (others > 0) factors[place] = portable_pow((others + kLittle) / kLittle, kPower);
    }
  }
  return base_pair_probabilities(bases, factors);
}

/// The letter of each base, see fold_family().
std::string letters_of(std::size_t bases, const std::vector<BasePair>& pairs) {
  std::vector<double> opens(bases), closes(bases);
  for (const BasePair& pair : pairs) {
    opens[pair.first] += pair.probability;
    closes[pair.second] += pair.probability;
  }
  std::string letters;
  for (std::size_t i = 0; i < bases; ++i) {
    const double unpaired = 1 - opens[i] - closes[i];
    if (unpaired >= opens[i] && unpaired >= closes[i]) {
      letters += unpaired > 0.9 ? 'u' : unpaired > 0.6 ? 'v' : 'w';
    } else if (opens[i] >= closes[i]) {
      letters += opens[i] > 0.75 ? 'L' : 'l';
    } else {
      letters += closes[i] > 0.75 ? 'R' : 'r';
    }
  }
  return letters;
}

}  // namespace

bool can_fold(const SequenceSet& set, const AlignSettings& settings) {
  return settings.folds && set.type() == ResidueType::rna && !settings.is_local() &&
         !settings.parameters.track.classes && set.size() >= 2 && set.length(0) <= kLongestFolded;
}

std::optional<FoldedFamily> fold_family(const SequenceSet& set, const AlignSettings& settings,
                                        const Msa& msa, Scheduler& scheduler) {
  if (msa.columns > kMostFoldedColumns) return std::nullopt;
  std::vector<std::vector<std::uint8_t>> bases;
  for (std::size_t x = 0; x < set.size(); ++x) bases.push_back(bases_of(set.letters(x)));
  const double identity = identity_of(bases, msa);
  if (identity >= kFoldedIdentity) return std::nullopt;

  PairsOfSequences alone(set.size());
  std::vector<std::string> tracks(set.size());
  parallel_for(set.size(), [&](std::size_t x, int) {
    alone[x] = base_pair_probabilities(bases[x]);
    tracks[x] = letters_of(bases[x].size(), alone[x]);
  });
  AlignSettings with_table = settings;
  set_track_table(std::make_shared<const TrackTable>(built_in_track_table("fold")), 1.0,
                  with_table);
  TrackWeight weight = estimate_track_weight(with_tracks(set, tracks), with_table, scheduler);
  if (!weight.agreement || *weight.agreement < kLeastAgreement) return std::nullopt;
  weight.weight = 1;

  const ColumnPairs columns(alone, msa);
  std::vector<SequenceRecord> records(set.size());
  parallel_for(set.size(), [&](std::size_t x, int) {
    records[x] = set.record(x);
    records[x].base_pairs =
        fold_with_others(bases[x], alone[x], msa.column_of[x], columns, set.size());
    records[x].track = letters_of(bases[x].size(), records[x].base_pairs);
  });
  return FoldedFamily{SequenceSet(std::move(records), set.type()), std::move(with_table), identity,
                      weight};
}

SequenceSet with_tracks(const SequenceSet& set, const std::vector<std::string>& tracks) {
  std::vector<SequenceRecord> records;
  for (std::size_t x = 0; x < set.size(); ++x) {
    records.push_back(set.record(x));
    records.back().track = tracks[x];
  }
  return SequenceSet(std::move(records), set.type());
}

}  // namespace accord
