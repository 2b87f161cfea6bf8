// SPDX-License-Identifier: Apache-2.0
// Local fits against the likelihood stage, which sees whole trees.
#include "phylogeny/local_fit/local_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/host/kernels.hpp"
#include "phylogeny/nni.hpp"
#include "phylogeny/regraft.hpp"
#include "support/align_cases.hpp"
#include "support/likelihood_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

LocalFitTask local_task(const LikelihoodCase& one, int sweeps) {
  return {one.patterns,    one.process,    one.state.tree, one.state.lengths,
          kShortestBranch, kLongestBranch, sweeps};
}

LocalFit locally_fitted(const LikelihoodCase& one, int sweeps) {
  return fit_locally(local_task(one, sweeps));
}

double total_of(const LikelihoodCase& one, const TreeWithModel& state) {
  HostBackend host;
  const LikelihoodTask task{one.patterns, one.process, state.tree, state.lengths};
  return likelihoods(host, {&task, 1}).front().total;
}

/// The tree after an interchange, with what was fitted for it.
TreeWithModel after(const LikelihoodCase& one, const std::vector<double>& lengths,
                    const FittedInterchange& fitted) {
  TreeWithModel state = one.state;
  state.lengths = lengths;
  for (std::size_t k = 0; k < 5; ++k) {
    const bool is_at_root = fitted.nodes[k] == state.tree.left.back();
    state.lengths[fitted.nodes[k]] = is_at_root ? 0.25 * fitted.lengths[k] : fitted.lengths[k];
    if (is_at_root) state.lengths[state.tree.right.back()] = 0.75 * fitted.lengths[k];
  }
  return interchanged(state, {&fitted.interchange, 1});
}

bool same(const LocalFit& a, const LocalFit& b) {
  return a.total == b.total && a.lengths == b.lengths &&
         std::equal(a.interchanges.begin(), a.interchanges.end(), b.interchanges.begin(),
                    b.interchanges.end(), [](const auto& x, const auto& y) {
                      return x.interchange.first == y.interchange.first && x.total == y.total &&
                             x.nodes == y.nodes && x.lengths == y.lengths;
                    });
}

}  // namespace

TEST_CASE("local fit: the likelihoods are those of whole trees") {
  std::mt19937 random(81);
  HostBackend host;
  for (const char* model : {"JC", "HKY{3}+G4{0.5}+I{0.2}", "LG+G4{0.7}", "GY94{2,0.3}+G2{1}"}) {
    for (const std::uint32_t tips : {4u, 5u, 11u}) {
      for (const int sweeps : {0, 2}) {
        CAPTURE(model);
        CAPTURE(tips);
        CAPTURE(sweeps);
        const LikelihoodCase one(model, tips, 37, random);
        const LocalFit found = locally_fitted(one, sweeps);
        TreeWithModel state = one.state;
        state.lengths = found.lengths;
        CHECK(found.total == doctest::Approx(total_of(one, state)).epsilon(1e-10));
        for (const FittedInterchange& fitted : found.interchanges) {
          const TreeWithModel changed = after(one, found.lengths, fitted);
          CHECK(fitted.total == doctest::Approx(total_of(one, changed)).epsilon(1e-10));
        }
      }
    }
  }
}

TEST_CASE("local fit: the likelihoods are those of whole trees where blocks have gaps alone") {
  std::mt19937 random(87);
  HostBackend host;
  Scheduler scheduler(host);
  for (const char* model : {"HKY{3}+G4{0.5}+I{0.2}", "LG+G4{0.7}"}) {
    CAPTURE(model);
    LikelihoodCase one(model, 12, 75, random);  // five blocks, the last one not full
    const auto gap = static_cast<std::uint8_t>(one.patterns.states);
    for (std::uint32_t tip = 0; tip < 12; ++tip) {
      for (std::size_t c = 0; c < 75; ++c) {
        // In the first block one tip has data, in the second two; the others lack some tips.
        const std::size_t block = c / 16;
        const bool has_data =
            block < 2 ? tip % 7 == 2 && tip < 7 * block + 3 : (tip + block) % (block + 1) != 0;
        if (!has_data) one.patterns.codes[tip * one.patterns.stride() + c] = gap;
      }
    }
    for (const int sweeps : {0, 2}) {
      const LocalFit found = locally_fitted(one, sweeps);
      TreeWithModel state = one.state;
      state.lengths = found.lengths;
      CHECK(found.total == doctest::Approx(total_of(one, state)).epsilon(1e-10));
      CHECK(!found.interchanges.empty());
      for (const FittedInterchange& fitted : found.interchanges) {
        CHECK(fitted.total ==
              doctest::Approx(total_of(one, after(one, found.lengths, fitted))).epsilon(1e-10));
      }
      const LocalFit moved = fit_locally(state, one.patterns, 0, {.regraft_radius = 6}, scheduler);
      CHECK(!moved.regrafts.empty());
      for (const Regraft& regraft : moved.regrafts) {
        CHECK(moved.total + regraft.gain ==
              doctest::Approx(total_of(one, regrafted(state, {&regraft, 1}))).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("local fit: changes are tried at the marked nodes alone, with the same results") {
  std::mt19937 random(88);
  HostBackend host;
  Scheduler scheduler(host);
  const LikelihoodCase one("JC", 14, 60, random);
  NodeMarks marks(one.state.tree.nodes(), 0);
  marks[one.state.tree.leaves + 4] = 1;
  const NodeMarks near = nodes_near(one.state.tree, marks, 1);
  CHECK(std::count(near.begin(), near.end(), 1) == 4);       // the node and its three neighbors
  CHECK(nodes_near(one.state.tree, marks, 40).back() == 0);  // the root is no node
  const auto of = [&](NodeMarks is_tried) {
    return fit_locally(one.state, one.patterns, 1,
                       {.interchanges = true, .regraft_radius = 3, .is_tried = is_tried},
                       scheduler);
  };
  const LocalFit all = of({}), some = of(near);
  CHECK(some.total == all.total);
  CHECK(some.interchanges.size() < all.interchanges.size());
  for (const FittedInterchange& fitted : some.interchanges) {
    const auto same = std::find_if(all.interchanges.begin(), all.interchanges.end(),
                                   [&](const FittedInterchange& other) {
                                     return other.interchange.branch == fitted.interchange.branch &&
                                            other.interchange.first == fitted.interchange.first;
                                   });
    REQUIRE(same != all.interchanges.end());
    CHECK(same->total == fitted.total);
  }
  for (const Regraft& regraft : some.regrafts) CHECK(near[regraft.node] == 1);
}

TEST_CASE("local fit: sweeps climb to where no single branch is uphill") {
  std::mt19937 random(82);
  HostBackend host;
  // Of few states random sites have several peaks, and each method may climb another.
  for (const char* model : {"WAG+I{0.1}", "LG+G4{0.7}"}) {
    const LikelihoodCase one(model, 9, 60, random);
    double before = total_of(one, one.state);
    for (int sweeps = 1; sweeps < 5; ++sweeps) {
      const double now = locally_fitted(one, sweeps).total;
      CHECK(now > before - 1e-4);
      before = now;
    }
    const LocalFit found = locally_fitted(one, 12);
    TreeWithModel state = one.state;
    state.lengths = found.lengths;
    for (std::size_t node = 0; node + 1 < state.lengths.size(); ++node) {
      for (const double factor : {0.9, 1.1}) {
        TreeWithModel moved = state;
        moved.lengths[node] =
            std::clamp(factor * moved.lengths[node], kShortestBranch / 2, kLongestBranch / 2);
        CHECK(total_of(one, moved) < found.total + 1e-3);
      }
    }
    Scheduler scheduler(host);
    const FitResult together = fit(one.state, one.patterns, FitTarget::lengths, scheduler);
    CHECK(found.total == doctest::Approx(together.likelihood.total).epsilon(1e-4));
  }
}

TEST_CASE("local fit: none of the five branches of an interchange is uphill") {
  std::mt19937 random(83);
  HostBackend host;
  const LikelihoodCase one("HKY{3}+G4{0.5}", 8, 80, random);
  const LocalFit found = locally_fitted(one, 3);
  REQUIRE(!found.interchanges.empty());
  for (const FittedInterchange& fitted : found.interchanges) {
    for (std::size_t k = 0; k < 5; ++k) {
      for (const double factor : {0.7, 1.4}) {
        FittedInterchange moved = fitted;
        moved.lengths[k] = std::max(kShortestBranch, factor * moved.lengths[k]);
        // Two rounds come close to the top, not to it.
        CHECK(total_of(one, after(one, found.lengths, moved)) < fitted.total + 0.05);
      }
    }
  }
}

TEST_CASE("local fit: the same bits from every instruction set and number of threads") {
  std::mt19937 random(84);
  for (const char* model : {"GTR{1,2,0.5,1.5,3}+G4{0.3}+I{0.2}", "LG+G4{0.5}", "GY94{2,0.3}"}) {
    CAPTURE(model);
    const LikelihoodCase one(model, 12, 50, random);
    HostBackend host;
    const LocalFit expected = locally_fitted(one, 1);
    for (const host::Kernels* kernels : host::available_kernels()) {
      CAPTURE(kernels->name);
      CHECK(same(fit_locally(local_task(one, 1), *kernels), expected));
    }
    const ThreadCount scope(3);
    CHECK(same(locally_fitted(one, 1), expected));
  }
}

TEST_CASE("local fit: memory by its definition") {
  std::mt19937 random(86);
  const LikelihoodCase one("JC", 10, 20, random);  // two blocks of 16 patterns
  const double of_vector = 32 * (4 * 2 * 8 + 4);
  const double matrix = 8 * 2 * 4 * 4, of_tree = 18, messages = 20 + 3;
  const auto bytes = [&](double number, double matrices) {
    return of_vector * (of_tree + number) + matrix * (number + matrices);
  };
  CHECK(local_fit_bytes(one.patterns, 2, 0) == bytes(messages, 0));
  CHECK(local_fit_bytes(one.patterns, 2, 3) == bytes(messages + 3 * 13, 0));
  CHECK(local_fit_bytes(one.patterns, 2, 3, 5) == bytes(messages + 60 + 3 * 20, 36));
}

TEST_CASE("local fit: large trees are scaled, and small ones refused") {
  std::mt19937 random(85);
  HostBackend host;
  const LikelihoodCase large("JC+G2{1}", 1500, 3, random, 2.0);
  const LocalFit found = locally_fitted(large, 0);
  REQUIRE(std::isfinite(found.total));
  CHECK(found.total == doctest::Approx(total_of(large, large.state)).epsilon(1e-10));
  const LikelihoodCase small("JC", 3, 4, random);
  CHECK_THROWS_AS(locally_fitted(small, 1), Error);
}
