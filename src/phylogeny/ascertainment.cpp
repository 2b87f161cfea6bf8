// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/ascertainment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

/// The logarithm of the probability that a site varies, from those of unobserved patterns.
double log_of_variation(std::span<const double> unobserved) {
  std::vector<double> shares(unobserved.begin(), unobserved.end());
  for (double& share : shares) share = std::max(share, -690.0);
  portable_exps(shares);
  double varies = 1;
  for (const double share : shares) varies -= share;
  return varies > 0 ? portable_log(varies) : -HUGE_VAL;
}

/// The unobserved patterns alone; they are the first codes, which stand for one state each.
SitePatterns unobserved_alone(const SitePatterns& patterns) {
  SitePatterns alone;
  alone.states = patterns.states;
  alone.tips = patterns.tips;
  alone.symbols = patterns.symbols;
  alone.weights.assign(patterns.unobserved, 1);
  alone.codes.assign(alone.tips * alone.stride(), 0);
  for (std::size_t tip = 0; tip < alone.tips; ++tip) {
    for (std::size_t s = 0; s < alone.count(); ++s) {
      alone.codes[tip * alone.stride() + s] = static_cast<std::uint8_t>(s);
    }
  }
  return alone;
}

}  // namespace

void add_unobserved(AlignmentPatterns& found, const std::string& label) {
  SitePatterns& patterns = found.patterns;
  std::size_t constant = 0, first = 0;
  for (std::size_t c = found.pattern_of.size(); c-- > 0;) {
    if (patterns.common_states(found.pattern_of[c]) == 0) continue;
    ++constant;
    first = c + 1;
  }
  if (constant > 0) {
    throw Error(ErrorKind::bad_input,
                label + ": " + counted(constant, "site") +
                    " may be the same in all rows, the first of them site " +
                    std::to_string(first) + ", but +ASC is for alignments of sites that vary",
                "leave out +ASC, or those sites");
  }
  const std::size_t before = patterns.stride(), observed = patterns.count();
  const std::vector<std::uint8_t> codes = std::move(patterns.codes);
  patterns.unobserved = patterns.states;
  patterns.weights.resize(observed + patterns.states, 0.0);
  patterns.codes.assign(patterns.tips * patterns.stride(), 0);
  for (std::size_t tip = 0; tip < patterns.tips; ++tip) {
    std::uint8_t* const row = &patterns.codes[tip * patterns.stride()];
    std::copy_n(&codes[tip * before], observed, row);
    for (std::uint32_t s = 0; s < patterns.states; ++s) {
      row[observed + s] = static_cast<std::uint8_t>(s);
    }
  }
}

void expect_unobserved(SitePatterns& patterns, const SubstitutionProcess& process,
                       const GuideTree& tree, std::span<const double> lengths,
                       Scheduler& scheduler) {
  const SitePatterns alone = unobserved_alone(patterns);
  const LikelihoodTask task{alone, process, tree, lengths};
  LikelihoodRequest request({&task, 1});
  StageRequest* const requests[] = {&request};
  scheduler.run(requests);
  std::vector<double> shares = std::move(request.result().front().sites);
  const double varies = log_of_variation(shares);
  double columns = 0;
  for (std::size_t c = 0; c < patterns.observed(); ++c) columns += patterns.weights[c];
  for (double& share : shares) share = std::clamp(share - varies, -690.0, 690.0);
  portable_exps(shares);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    patterns.weights[patterns.observed() + s] = columns * shares[s];
  }
}

double condition_on_variation(const SitePatterns& patterns, std::vector<double>& sites) {
  if (patterns.unobserved > 0) {
    const double varies = log_of_variation(std::span(sites).last(patterns.unobserved));
    sites.resize(patterns.observed());
    for (double& site : sites) site -= varies;
  }
  return weighted_sum(patterns.weights, sites);
}

void condition_on_variation(const SitePatterns& patterns, Likelihood& likelihood) {
  if (patterns.unobserved == 0) return;
  likelihood.total = condition_on_variation(patterns, likelihood.sites);
}

}  // namespace accord
