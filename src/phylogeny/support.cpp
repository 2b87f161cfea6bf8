// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>

#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr int kReplicates = 1000;
constexpr std::uint64_t kSeed = 1;

/// Logarithms of likelihoods that differ by no more than this are the same: branches of next to no
/// length would else get whatever support rounding gives them.
constexpr double kTie = 0.1;

/// The tree and the two that interchanges at a branch make.
struct Contest {
  std::array<double, 3> totals;
  std::array<const std::vector<double>*, 3> sites;

  double lead() const { return totals[0] - std::max(totals[1], totals[2]); }
};

/// How often each pattern occurs in alignments of as many columns, drawn from those that there are.
class Resampling {
 public:
  explicit Resampling(const SitePatterns& patterns) : patterns_(patterns.observed()) {
    std::vector<std::uint32_t> pattern_of;  // of each column
    for (std::size_t c = 0; c < patterns_; ++c) {
      pattern_of.insert(pattern_of.end(), static_cast<std::size_t>(patterns.weights[c]),
                        static_cast<std::uint32_t>(c));
    }
    std::mt19937_64 random(kSeed);
    counts_.assign(kReplicates * patterns_, 0);
    for (std::size_t replicate = 0; replicate < kReplicates; ++replicate) {
      for (std::size_t k = 0; k < pattern_of.size(); ++k) {
        // Fewer than 2^32 columns: the upper half of a product, the same on every machine.
        const std::size_t column = (random() >> 32) * pattern_of.size() >> 32;
        counts_[replicate * patterns_ + pattern_of[column]] += 1;
      }
    }
  }

  /// The total of a replicate.
  double total(std::size_t replicate, const std::vector<double>& sites) const {
    const std::uint32_t* const counts = &counts_[replicate * patterns_];
    double sum = 0;
    for (std::size_t c = 0; c < patterns_; ++c) sum += counts[c] * sites[c];
    return sum;
  }

 private:
  std::size_t patterns_;
  std::vector<std::uint32_t> counts_;
};

double sh_support(const Contest& contest, const Resampling& resampling) {
  int below = 0;
  for (std::size_t replicate = 0; replicate < kReplicates; ++replicate) {
    std::array<double, 3> centred{};
    for (std::size_t k = 0; k < 3; ++k) {
      centred[k] = resampling.total(replicate, *contest.sites[k]) - contest.totals[k];
    }
    std::sort(centred.begin(), centred.end(), std::greater<>());
    if (centred[0] - centred[1] + kTie < contest.lead()) ++below;
  }
  return below / double{kReplicates};
}

double parametric_support(const Contest& contest) {
  constexpr double kComparisons = 3, kShareAboveZero = 0.5;
  if (!(contest.lead() > 0)) return 0;
  // P of a larger chi-square of one degree of freedom; the statistic is twice the lead.
  const double larger = std::erfc(std::sqrt(contest.lead()));
  return std::max(0.0, 1 - kComparisons * kShareAboveZero * larger);
}

double posterior(const Contest& contest) {
  double sum = 0;
  for (const double total : contest.totals) sum += std::exp(total - contest.totals[0]);
  return 1 / sum;
}

}  // namespace

std::vector<std::vector<double>> branch_supports(const TreeWithModel& state,
                                                 const SitePatterns& patterns,
                                                 std::span<const SupportKind> kinds,
                                                 Scheduler& scheduler) {
  const GuideTree& tree = state.tree;
  std::vector<std::vector<double>> supports(
      kinds.size(), std::vector<double>(tree.nodes(), std::numeric_limits<double>::quiet_NaN()));
  if (tree.leaves < 4 || kinds.empty()) return supports;
  const LocalFit found =
      fit_locally(state, patterns, 0, {.interchanges = true, .sites = true}, scheduler);
  const bool resamples = std::find(kinds.begin(), kinds.end(), SupportKind::sh_alrt) != kinds.end();
  const Resampling resampling = resamples ? Resampling(patterns) : Resampling({});
  parallel_for(found.interchanges.size() / 2, [&](std::size_t k, int) {
    const FittedInterchange& one = found.interchanges[2 * k];
    const FittedInterchange& other = found.interchanges[2 * k + 1];
    const Contest contest{{found.total, one.total, other.total},
                          {&found.sites, &one.sites, &other.sites}};
    for (std::size_t at = 0; at < kinds.size(); ++at) {
      supports[at][one.interchange.branch] =
          kinds[at] == SupportKind::sh_alrt ? sh_support(contest, resampling)
          : kinds[at] == SupportKind::alrt  ? parametric_support(contest)
                                            : posterior(contest);
    }
  });
  const std::uint32_t left = tree.left.back(), right = tree.right.back();
  for (std::vector<double>& of_kind : supports) {
    if (left >= tree.leaves && right >= tree.leaves) of_kind[right] = of_kind[left];
  }
  return supports;
}

}  // namespace accord
