// SPDX-License-Identifier: Apache-2.0
#include "method/structures/pair_support.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr double kUnits = 65536;  // of a probability, see SparseMatrix

/// The partners of the bases of a sequence.
class Partners {
 public:
  struct Partner {
    std::uint32_t base;
    double probability;
  };

  Partners(const SequenceSet& set, std::size_t x) : of_(set.length(x)), paired_(set.length(x)) {
    constexpr double kLeast = 0.02;  // rarer pairs change nothing, and there are many of them
    for (const BasePair& pair : set.record(x).base_pairs) {
      if (pair.probability < kLeast) continue;
      add(pair.first, pair.second, pair.probability);
      add(pair.second, pair.first, pair.probability);
    }
  }

  const std::vector<Partner>& of(std::size_t base) const { return of_[base]; }
  /// The probability that a base is paired.
  double paired(std::size_t base) const { return paired_[base]; }

 private:
  void add(std::uint32_t base, std::uint32_t partner, double probability) {
    of_[base].push_back({partner, probability});
    paired_[base] += probability;
  }

  std::vector<std::vector<Partner>> of_;  // [base]
  std::vector<double> paired_;            // [base]
};

/// The posteriors of a pair of sequences, with those of its pairs of bases.
struct SupportedPair {
  SparseMatrix matrix;
  std::size_t supported = 0;  ///< kept cells whose bases are both paired
};

/// A part of the posterior of residues of x and y.
struct Part {
  std::uint32_t column;
  double posterior;    ///< of the cell itself
  double of_partners;  ///< b_x(i, k) b_y(j, l) p(k, l) of one pair of partners
};

/// The parts of row i, columns increasing.
std::vector<Part> parts_of_row(const SparseMatrix& matrix, std::uint32_t i, const Partners& x,
                               const Partners& y) {
  std::vector<Part> parts;
  matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
    parts.push_back({j, units / kUnits, 0});
  });
  for (const Partners::Partner& k : x.of(i)) {
    matrix.for_each_in_row(k.base, [&](std::uint32_t l, std::uint32_t units) {
      for (const Partners::Partner& j : y.of(l)) {
        if ((i < k.base) != (j.base < l)) continue;
        parts.push_back({j.base, 0, k.probability * j.probability * (units / kUnits)});
      }
    });
  }
  // Equal columns keep their order, so that sums have the same bits everywhere.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.column < b.column; });
  return parts;
}

SupportedPair support(const SparseMatrix& before, const Partners& x, const Partners& y,
                      double share, double cutoff) {
  SupportedPair after;
  SparseMatrixBuilder builder(before.cols());
  for (std::uint32_t i = 0; i < before.rows(); ++i) {
    const std::vector<Part> parts = parts_of_row(before, i, x, y);
    for (std::size_t at = 0; at < parts.size();) {
      const std::uint32_t j = parts[at].column;
      double p = 0, of_partners = 0;
      for (; at < parts.size() && parts[at].column == j; ++at) {
        p += parts[at].posterior;
        of_partners += parts[at].of_partners;
      }
      const double paired = std::min(1.0, x.paired(i) * y.paired(j));
      const double sum = (1 - share * paired) * p + share * of_partners;
      if (p == 0 && sum < cutoff) continue;
      builder.add(j, probability_units(static_cast<float>(sum)));
      after.supported += paired > 0;
    }
    builder.end_row();
  }
  after.matrix = builder.finish();
  return after;
}

}  // namespace

bool has_base_pairs(const SequenceSet& set) {
  for (std::size_t x = 0; x < set.size(); ++x) {
    if (!set.record(x).base_pairs.empty()) return true;
  }
  return false;
}

std::size_t support_by_base_pairs(const SequenceSet& set, const TrackParams& track, double cutoff,
                                  PosteriorSet& posteriors) {
  constexpr int kRounds = 2;
  const double share = 0.5 * std::min(1.0, track.weight.value_or(0));
  std::vector<Partners> partners;
  for (std::size_t x = 0; x < set.size(); ++x) partners.emplace_back(set, x);
  std::vector<std::size_t> supported(posteriors.pairs().size());
  parallel_for(supported.size(), [&](std::size_t number, int) {
    const PairIndex pair = posteriors.pairs()[number];
    for (int round = 0; round < kRounds; ++round) {
      SupportedPair found =
          support(posteriors[number], partners[pair.x], partners[pair.y], share, cutoff);
      posteriors[number] = std::move(found.matrix);
      supported[number] = found.supported;
    }
  });
  return std::accumulate(supported.begin(), supported.end(), std::size_t{0});
}

}  // namespace accord
