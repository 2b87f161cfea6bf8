// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/support.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

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

/// A percentage with one digit after the point, or a share with three.
std::string support_text(SupportKind kind, double support) {
  const bool is_percentage = kind == SupportKind::sh_alrt;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, is_percentage ? 100 * support : support,
                                 std::chars_format::fixed, is_percentage ? 1 : 3);
  return {text, end.ptr};
}

/// Computes supports of the branches of a tree. The two branches at the root count as one branch.
/// SH-aLRT resamples the columns 1,000 times from a fixed seed, with the same samples for all
/// branches. If an interchange at a branch raises the likelihood, SH-aLRT and aLRT are 0.
/// Shape   [kind][node]: the support of the branch above the node; NaN above leaves and the root,
///         for the branch at the root if it ends in a leaf, and for all nodes of a tree with fewer
///         than four leaves.
/// Source  Guindon et al. 2010, Syst Biol 59:307 (SH-aLRT); Anisimova & Gascuel 2006, Syst Biol
///         55:539 (aLRT); Anisimova et al. 2011, Syst Biol 60:685 (aBayes).
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

}  // namespace

std::vector<SupportKind> support_kinds(const std::string& list, const std::string& what) {
  std::vector<SupportKind> kinds;
  for (const std::string_view part : split(list, ',')) {
    const std::string word = lower_case(part);
    if (word == "sh-alrt") {
      kinds.push_back(SupportKind::sh_alrt);
    } else if (word == "alrt") {
      kinds.push_back(SupportKind::alrt);
    } else if (word == "abayes") {
      kinds.push_back(SupportKind::abayes);
    } else {
      throw Error(ErrorKind::usage, what + " " + list + ": unknown",
                  "use sh-alrt, alrt or abayes, or several of them with commas between");
    }
  }
  return kinds;
}

std::vector<std::string> support_labels(const TreeWithModel& state, const SitePatterns& patterns,
                                        std::span<const SupportKind> kinds, Scheduler& scheduler) {
  std::vector<std::string> labels(state.tree.nodes());
  const std::vector<std::vector<double>> supports =
      branch_supports(state, patterns, kinds, scheduler);
  for (std::size_t k = 0; k < supports.size(); ++k) {
    for (std::size_t node = 0; node < labels.size(); ++node) {
      if (std::isnan(supports[k][node])) continue;
      if (k > 0) labels[node] += '/';
      labels[node] += support_text(kinds[k], supports[k][node]);
    }
  }
  return labels;
}

}  // namespace accord
