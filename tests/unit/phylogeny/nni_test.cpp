// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/nni.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "phylogeny/regraft.hpp"
#include "support/likelihood_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The splits of the unrooted tree, as sets of tips without tip 0; and the lengths of the branches.
std::set<std::pair<std::vector<std::uint32_t>, double>> splits_of(const TreeWithModel& state) {
  const GuideTree& tree = state.tree;
  std::vector<std::vector<std::uint32_t>> below(tree.nodes());
  for (std::uint32_t tip = 0; tip < tree.leaves; ++tip) below[tip] = {tip};
  for (std::uint32_t join = 0; join < tree.left.size(); ++join) {
    std::vector<std::uint32_t>& tips = below[tree.leaves + join];
    for (const std::uint32_t child : {tree.left[join], tree.right[join]}) {
      REQUIRE(child < tree.leaves + join);
      tips.insert(tips.end(), below[child].begin(), below[child].end());
    }
    std::sort(tips.begin(), tips.end());
  }
  REQUIRE(below.back().size() == tree.leaves);
  std::set<std::pair<std::vector<std::uint32_t>, double>> splits;
  for (std::uint32_t node = 0; node + 1 < tree.nodes(); ++node) {
    std::vector<std::uint32_t> side = below[node];
    if (side.front() == 0) {
      side.clear();
      for (const std::uint32_t tip : below.back()) {
        if (!std::binary_search(below[node].begin(), below[node].end(), tip)) side.push_back(tip);
      }
    }
    splits.insert({side, state.lengths[node]});
  }
  return splits;
}

std::set<std::vector<std::uint32_t>> shape_of(const TreeWithModel& state) {
  std::set<std::vector<std::uint32_t>> shape;
  for (const auto& [side, length] : splits_of(state)) shape.insert(side);
  return shape;
}

/// Evolves sites along the tree, by the model of Jukes and Cantor.
void evolve(LikelihoodCase& one, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const GuideTree& tree = one.state.tree;
  const std::size_t stride = one.patterns.stride();
  std::vector<std::uint8_t> state(tree.nodes());
  for (std::size_t c = 0; c < one.patterns.count(); ++c) {
    one.patterns.weights[c] = 1;
    state.back() = static_cast<std::uint8_t>(random() % 4);
    for (auto join = static_cast<std::uint32_t>(tree.left.size()); join-- > 0;) {
      for (const std::uint32_t child : {tree.left[join], tree.right[join]}) {
        const bool is_new = uniform(random) < 1 - std::exp(-4 * one.state.lengths[child] / 3);
        state[child] = is_new ? static_cast<std::uint8_t>(random() % 4) : state[tree.leaves + join];
      }
    }
    for (std::uint32_t tip = 0; tip < tree.leaves; ++tip) {
      one.patterns.codes[tip * stride + c] = state[tip];
    }
  }
}

}  // namespace

TEST_CASE("interchanges: both at each inner branch, all different, and nothing else changes") {
  std::mt19937 random(71);
  for (const std::uint32_t tips : {2u, 3u, 4u, 5u, 12u}) {
    CAPTURE(tips);
    const LikelihoodCase one("JC", tips, 1, random);
    const std::vector<Interchange> all = interchanges_of(one.state.tree);
    CHECK(all.size() == (tips < 4 ? 0 : 2 * (tips - 3)));
    const auto before = splits_of(one.state);
    std::set<std::set<std::vector<std::uint32_t>>> shapes = {shape_of(one.state)};
    for (const Interchange& interchange : all) {
      const TreeWithModel changed = interchanged(one.state, {&interchange, 1});
      const auto after = splits_of(changed);
      std::size_t same = 0;
      for (const auto& split : after) same += before.count(split);
      CHECK(same + 2 >= after.size());  // the split of the branch, which the root may halve
      shapes.insert(shape_of(changed));
    }
    CHECK(shapes.size() == all.size() + 1);
  }
}

TEST_CASE("nni: comes back to about the likelihood of the tree that the sites evolved on") {
  std::mt19937 random(72);
  LikelihoodCase one("JC", 14, 400, random, 0.2);
  evolve(one, random);
  HostBackend host;
  Scheduler scheduler(host);
  const FitResult truth = fit(one.state, one.patterns, FitTarget::lengths, scheduler);
  TreeWithModel other = one.state;
  for (int k = 0; k < 8; ++k) {
    const std::vector<Interchange> all = interchanges_of(other.tree);
    other = interchanged(other, {&all[random() % all.size()], 1});
  }
  const FitResult start = fit(other, one.patterns, FitTarget::lengths, scheduler);
  REQUIRE(start.likelihood.total < truth.likelihood.total - 10);
  std::vector<double> totals;
  const FitResult found = improve_topology(
      {&start.fitted, 1}, one.patterns, FitTarget::lengths, 0, scheduler,
      {.on_round = [&](const TreeWithModel& state, double total) {
        const LikelihoodTask task{one.patterns, one.process, state.tree, state.lengths};
        CHECK(total == doctest::Approx(likelihoods(host, {&task, 1}).front().total).epsilon(1e-10));
        totals.push_back(total);
      }});
  // Several interchanges are made at the same time, and still no round goes down.
  CHECK(totals.size() > 1);
  CHECK(totals.size() < 8);
  totals.insert(totals.begin(), start.likelihood.total - 1e-3);  // lengths are fitted less finely
  totals.push_back(found.likelihood.total);
  CHECK(std::is_sorted(totals.begin(), totals.end()));
  // Not always to that tree: interchanges climb to the next peak.
  CHECK(found.likelihood.total - start.likelihood.total >
        0.9 * (truth.likelihood.total - start.likelihood.total));
}

TEST_CASE("regrafts: their gain is that of the whole tree, on every number of threads") {
  std::mt19937 random(73);
  HostBackend host;
  Scheduler scheduler(host);
  LikelihoodCase one("HKY{3}+G4{0.5}", 16, 300, random, 0.2);
  evolve(one, random);
  TreeWithModel other = one.state;
  for (int k = 0; k < 10; ++k) {
    const std::vector<Interchange> all = interchanges_of(other.tree);
    other = interchanged(other, {&all[random() % all.size()], 1});
  }
  other.lengths = fit_locally(other, one.patterns, 2, {}, scheduler).lengths;
  const LocalFit found = fit_locally(other, one.patterns, 0, {.regraft_radius = 6}, scheduler);
  REQUIRE(found.regrafts.size() > 3);
  std::set<std::set<std::vector<std::uint32_t>>> shapes = {shape_of(other)};
  for (const Regraft& regraft : found.regrafts) {
    const TreeWithModel changed = regrafted(other, {&regraft, 1});
    shapes.insert(shape_of(changed));
    CHECK(splits_of(changed).size() == splits_of(other).size());
    const SubstitutionProcess process = changed.process();
    const LikelihoodTask task{one.patterns, process, changed.tree, changed.lengths};
    CHECK(found.total + regraft.gain ==
          doctest::Approx(likelihoods(host, {&task, 1}).front().total).epsilon(1e-10));
    CHECK(regraft.gain > 0);
  }
  CHECK(shapes.size() > 2);
  const LocalThreadCount scope(3);
  Scheduler of_three(host);
  const LocalFit again = fit_locally(other, one.patterns, 0, {.regraft_radius = 6}, of_three);
  REQUIRE(again.regrafts.size() == found.regrafts.size());
  for (std::size_t k = 0; k < found.regrafts.size(); ++k) {
    CHECK(again.regrafts[k].gain == found.regrafts[k].gain);
    CHECK(again.regrafts[k].lengths == found.regrafts[k].lengths);
  }
}

TEST_CASE("regrafts: reach trees that interchanges alone do not") {
  std::mt19937 random(74);
  HostBackend host;
  Scheduler scheduler(host);
  LikelihoodCase one("JC", 40, 90, random, 0.3);
  evolve(one, random);
  int better = 0;
  for (int k = 0; k < 4; ++k) {
    TreeWithModel other = one.state;
    other.tree = random_tree(40, random);
    const auto reached = [&](std::uint32_t radius) {
      return improve_topology({&other, 1}, one.patterns, FitTarget::lengths, radius, scheduler)
          .likelihood.total;
    };
    const double interchanges = reached(0), regrafts = reached(10);
    CHECK(regrafts > interchanges - 1e-3);
    better += regrafts > interchanges + 1;
  }
  CHECK(better > 0);
}
