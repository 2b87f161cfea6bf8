// SPDX-License-Identifier: Apache-2.0
#include "method/folding/base_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/portable_math.hpp"
#include "method/folding/loop_weights.hpp"

namespace accord {
namespace {

/// Values of the intervals of a sequence, from base `first` to base `last`.
class Intervals {
 public:
  explicit Intervals(std::size_t bases) : bases_(bases), values_(bases * bases) {}

  double& at(std::size_t first, std::size_t last) { return values_[first * bases_ + last]; }
  double at(std::size_t first, std::size_t last) const { return values_[first * bases_ + last]; }

 private:
  std::size_t bases_;
  std::vector<double> values_;
};

/// The partition function of a sequence, and its slopes.
///
/// With w the weights of loops, z the scale of a base and f the factor of a pair:
///
///   B(i,j) = f (w_hairpin z^(j-i+1) + sum w_interior z^unpaired z^2 B(k,l)
///              + w_multiloop z^2 sum_u M(i+1,u-1) S(u,j-1))      i and j are paired
///   S(i,j) = S(i,j-1) z + B(i,j) w_branch                         one branch begins at i
///   M(i,j) = sum_u (z^(u-i) + M(i,u-1)) S(u,j)                    one branch or more
///   F(j)   = F(j-1) z + sum_i F(i-1) B(i,j) w_stem                the first j bases
///
/// The probability of a pair is B dF(L)/dB / F(L). Slopes are found by going through the same sums
/// from the last to the first.
class StructureEnsemble {
 public:
  StructureEnsemble(std::span<const std::uint8_t> bases, std::span<const double> factors,
                    double scale)
      : bases_(bases),
        factors_(factors),
        partners_(bases.size()),
        paired_(bases.size()),
        branches_(bases.size()),
        multi_(bases.size()),
        prefix_(bases.size() + 1) {
    powers_.push_back(1);
    for (std::size_t n = 0; n < bases.size(); ++n) powers_.push_back(powers_.back() * scale);
    const std::size_t length = bases.size();
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t j = i + kFewest; j < length; ++j) {
        if (can_pair(i, j)) partners_[i].push_back(j);
      }
    }
    for (std::size_t span = kFewest; span < length; ++span) {
      for (std::size_t i = 0; i + span < length; ++i) sum_interval(i, i + span);
    }
    prefix_[0] = 1;
    for (std::size_t j = 0; j < length; ++j) {
      prefix_[j + 1] = prefix_[j] * powers_[1];
      for_each_stem(j, [&](std::size_t i, double stem) {
        prefix_[j + 1] += prefix_[i] * paired_.at(i, j) * stem;
      });
    }
  }

  /// Whether the scale kept the sum of all structures within the numbers.
  bool is_in_range() const { return std::isfinite(prefix_.back()) && prefix_.back() > 0; }

  std::vector<BasePair> probabilities() const;

 private:
  /// A pair of this probability passes nothing on to the pairs inside.
  static constexpr double kNegligible = 1e-6;
  static constexpr std::size_t kFewest = LoopWeights::kFewestOfHairpin + 1;  // of j - i

  double factor(std::size_t i, std::size_t j) const {
    return factors_.empty() ? 1 : factors_[i * bases_.size() + j];
  }
  bool can_pair(std::size_t i, std::size_t j) const { return LoopWeights::can_pair(bases_, i, j); }

  /// Calls visit(i, weight) for all pairs i, j that end a stem at j.
  template <class Visit>
  void for_each_stem(std::size_t j, const Visit& visit) const {
    for (std::size_t i = 0; i + kFewest <= j; ++i) {
      if (can_pair(i, j)) visit(i, loop_weights().stem(bases_, i, j));
    }
  }

  /// Calls visit(k, l, weight) for all pairs that can be the next one inside the pair i, j.
  template <class Visit>
  void for_each_inside(std::size_t i, std::size_t j, const Visit& visit) const {
    constexpr std::size_t kMost = LoopWeights::kMostUnpaired;
    for (std::size_t k = i + 1; k <= i + 1 + kMost && k + kFewest < j; ++k) {
      const std::size_t right = kMost - (k - i - 1);
      const std::vector<std::size_t>& partners = partners_[k];
      auto l =
          std::lower_bound(partners.begin(), partners.end(), j > right + 1 ? j - 1 - right : 0);
      for (; l != partners.end() && *l < j; ++l) {
        visit(
            k, *l,
            loop_weights().interior(bases_, i, j, k, *l) * powers_[(k - i - 1) + (j - *l - 1) + 2]);
      }
    }
  }

  /// Calls visit(u) for all bases at which the last branch of the multiloop of the pair i, j can
  /// begin.
  template <class Visit>
  static void for_each_last_branch(std::size_t i, std::size_t j, const Visit& visit) {
    for (std::size_t u = i + 2 + kFewest; u + kFewest < j; ++u) visit(u);
  }

  void sum_interval(std::size_t i, std::size_t j) {
    const LoopWeights& weights = loop_weights();
    double branches = branches_.at(i, j - 1) * powers_[1];
    if (can_pair(i, j)) {
      double sum = weights.hairpin(bases_, i, j) * powers_[j - i + 1];
      for_each_inside(i, j, [&](std::size_t k, std::size_t l, double weight) {
        sum += weight * paired_.at(k, l);
      });
      double multi = 0;
      for_each_last_branch(
          i, j, [&](std::size_t u) { multi += multi_.at(i + 1, u - 1) * branches_.at(u, j - 1); });
      sum += multi * weights.multiloop(bases_, i, j) * powers_[2];
      paired_.at(i, j) = sum * factor(i, j);
      branches += paired_.at(i, j) * weights.branch(bases_, i, j);
    }
    branches_.at(i, j) = branches;
    double multi = branches;
    for (std::size_t u = i + 1; u + kFewest <= j; ++u) {
      multi += (powers_[u - i] + multi_.at(i, u - 1)) * branches_.at(u, j);
    }
    multi_.at(i, j) = multi;
  }

  std::span<const std::uint8_t> bases_;
  std::span<const double> factors_;
  std::vector<std::vector<std::size_t>> partners_;  // [base]: the bases behind it that it can pair
  std::vector<double> powers_;                      // of the scale
  Intervals paired_, branches_, multi_;
  std::vector<double> prefix_;
};

std::vector<BasePair> StructureEnsemble::probabilities() const {
  const LoopWeights& weights = loop_weights();
  const std::size_t length = bases_.size();
  Intervals of_paired(length), of_branches(length), of_multi(length);
  std::vector<double> of_prefix(length + 1);
  of_prefix[length] = 1 / prefix_[length];
  for (std::size_t j = length; j-- > 0;) {
    const double slope = of_prefix[j + 1];
    of_prefix[j] += slope * powers_[1];
    for_each_stem(j, [&](std::size_t i, double stem) {
      of_prefix[i] += slope * paired_.at(i, j) * stem;
      of_paired.at(i, j) += slope * prefix_[i] * stem;
    });
  }
  std::vector<BasePair> found;
  for (std::size_t span = length; span-- > kFewest;) {
    for (std::size_t i = 0; i + span < length; ++i) {
      const std::size_t j = i + span;
      const double multi = of_multi.at(i, j);
      of_branches.at(i, j) += multi;
      for (std::size_t u = i + 1; u + kFewest <= j; ++u) {
        of_branches.at(u, j) += multi * (powers_[u - i] + multi_.at(i, u - 1));
        of_multi.at(i, u - 1) += multi * branches_.at(u, j);
      }
      const double branches = of_branches.at(i, j);
      of_branches.at(i, j - 1) += branches * powers_[1];
      if (!can_pair(i, j)) continue;
      of_paired.at(i, j) += branches * weights.branch(bases_, i, j);
      const double probability = of_paired.at(i, j) * paired_.at(i, j);
      if (probability >= kLeastPairProbability) {
        found.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), probability});
      }
      if (probability < kNegligible) continue;
      const double slope = of_paired.at(i, j) * factor(i, j);
      for_each_inside(i, j, [&](std::size_t k, std::size_t l, double weight) {
        of_paired.at(k, l) += slope * weight;
      });
      const double of_last = slope * weights.multiloop(bases_, i, j) * powers_[2];
      for_each_last_branch(i, j, [&](std::size_t u) {
        of_multi.at(i + 1, u - 1) += of_last * branches_.at(u, j - 1);
        of_branches.at(u, j - 1) += of_last * multi_.at(i + 1, u - 1);
      });
    }
  }
  std::sort(found.begin(), found.end(), [](const BasePair& a, const BasePair& b) {
    return std::pair(a.first, a.second) < std::pair(b.first, b.second);
  });
  return found;
}

}  // namespace

std::vector<BasePair> base_pair_probabilities(std::span<const std::uint8_t> bases,
                                              std::span<const double> factors) {
  // The scale multiplies all structures of a sequence by exp(-scale L), and no structure has a
  // weight of more than exp(5 L): the loop ends. Few sequences need more than its first round.
  for (double scale = 0.5;; scale += 0.5) {
    const StructureEnsemble ensemble(bases, factors, portable_exp(-scale));
    if (ensemble.is_in_range()) return ensemble.probabilities();
  }
}

}  // namespace accord
