// SPDX-License-Identifier: Apache-2.0
// The posteriors of each model, bit by bit and before any cutoff, against hashes from an
// independent implementation of the same arithmetic. The shared kernel text is compiled here once
// more with its function accord_posterior watched, because outside of it only the combination
// of both models is to be had, and with a backward sweep that drops nothing, as the reference does.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/host/simd.hpp"
#include "models/models.hpp"
#define ACCORD_LOST 1000
#include "posteriors/combine.h"
#include "support/pair_posteriors.hpp"
#include "support/parameter_files.hpp"
#include "support/reference_hashes.hpp"

namespace {

/// Every value of accord_posterior in the first lane: pair-HMM and partition function in turn, 64
/// times a tile.
std::vector<float> watched;

int exponent_of(float v) { return static_cast<int>(std::bit_cast<std::uint32_t>(v) >> 23) - 127; }

/// The reference leaves out a cell whose factors have binary exponents that add up to less than
/// -40. There 1/Z lies in (1, 2]; here it is halved and part of `factor`.
bool below_reference(float m, float s, float factor) {
  if (m == 0 || s == 0 || factor == 0) return true;
  const bool power_of_two = (std::bit_cast<std::uint32_t>(factor) & 0x7fffff) == 0;
  const int scale = exponent_of(factor) - (power_of_two ? 1 : 0);
  return exponent_of(m) + exponent_of(s) + scale < -40;
}

accord_vf watch_posterior(accord_vf m, accord_vf s, accord_vf factor) {
  const accord_vf p = accord_posterior(m, s, factor);
  watched.push_back(below_reference(m[0], s[0], factor[0]) ? 0.0f : p[0]);
  return p;
}

}  // namespace

#define accord_posterior watch_posterior
#include "posteriors/lanes_task.h"
#undef accord_posterior

namespace accord {
namespace {

using testing::Codes;

/// Posteriors of both models with a border row and column of zeros.
struct BothModels {
  std::vector<float> hmm, partition;
};

/// Runs one task with x in the first lane and all cells emitted; returns the cells in the order
/// in which they were found.
std::vector<accord_cell> run_task(const Codes& x, const Codes& y, const accord_model& model) {
  std::vector<accord_cell> cells(x.size() * y.size());
  accord_lanes_input in{};
  accord_lanes_output out{};
  for (int lane = 0; lane < ACCORD_LANES; ++lane) {
    in.x[lane] = x.data();
    out.cells[lane] = cells.data();
  }
  in.m[0] = static_cast<int>(x.size());
  in.m_longest = in.m_shortest = in.m[0];
  in.y = y.data();
  in.n = static_cast<int>(y.size());
  out.capacity = static_cast<accord_u32>(cells.size());
  const accord_workspace plan = accord_plan_workspace(static_cast<accord_u32>(x.size()),
                                                      static_cast<accord_u32>(y.size()), 0);
  const std::unique_ptr<void, decltype(&std::free)> memory(
      std::aligned_alloc(sizeof(accord_vf), plan.size * sizeof(accord_vf)), &std::free);
  accord_lanes_task(&in, &plan, &model, static_cast<accord_vf*>(memory.get()), &out);
  cells.resize(out.count[0]);
  return cells;
}

/// Puts the watched values in their places. Tiles come in the order of the emitted cells, and each
/// holds at least one; cells of the border are watched but not emitted.
BothModels both_posteriors(const Codes& x, const Codes& y, accord_model model) {
  model.cutoff = 0;  // emit all cells
  watched.clear();
  const std::vector<accord_cell> cells = run_task(x, y, model);
  const std::size_t m = x.size(), n = y.size();
  BothModels both{std::vector<float>((m + 1) * (n + 1)), std::vector<float>((m + 1) * (n + 1))};
  std::size_t at = 0;
  for (std::size_t tile = 0; tile < watched.size(); tile += 2 * ACCORD_TILE * ACCORD_TILE) {
    REQUIRE(at < cells.size());
    const std::size_t first_row = (cells[at].row + 1) / ACCORD_TILE * ACCORD_TILE;
    const std::size_t first_column = (cells[at].column + 1) / ACCORD_TILE * ACCORD_TILE;
    for (std::size_t k = 0; k < ACCORD_TILE * ACCORD_TILE; ++k) {
      const std::size_t i = first_row + k / ACCORD_TILE, j = first_column + k % ACCORD_TILE;
      if (i == 0 || j == 0 || i > m || j > n) continue;
      REQUIRE(cells[at].row + 1 == i);
      REQUIRE(cells[at].column + 1 == j);
      ++at;
      both.hmm[i * (n + 1) + j] = watched[tile + 2 * k];
      both.partition[i * (n + 1) + j] = watched[tile + 2 * k + 1];
    }
  }
  CHECK(at == cells.size());
  return both;
}

TEST_CASE("reference hashes: posteriors of each model and combined") {
  // The prototype has the original end weights.
  Parameters parameters = testing::parameters_of_file("msaprobs.json");
  parameters.hmm = testing::probcons_pair_hmm();
  const accord_model model = build_posterior_model(parameters, ResidueType::protein).tables;
  for (const testing::ReferencePair& pair : testing::reference_hash_inputs()) {
    CAPTURE(pair.x.size());
    const BothModels both = both_posteriors(pair.x, pair.y, model);
    CHECK(testing::posterior_hash(both.hmm) == pair.hmm);
    CHECK(testing::posterior_hash(both.partition) == pair.partition);
    const accord_combination combination = accord_combination_of(&model);
    std::vector<float> combined;
    for (std::size_t k = 0; k < both.hmm.size(); ++k) {
      const accord_vf value =
          accord_combined(&combination, accord_set(both.hmm[k]), accord_set(both.partition[k]));
      combined.push_back(accord_lane(value, 0));
    }
    CHECK(testing::posterior_hash(combined) == pair.combined);
  }
}

TEST_CASE("posteriors: what the backward sweep drops is below its bound") {
  const Parameters parameters = testing::parameters_of_file("msaprobs.json");
  accord_model model = build_posterior_model(parameters, ResidueType::protein).tables;
  model.cutoff = 1e-18f;
  const accord_combination combination = accord_combination_of(&model);
  std::size_t found = 0, without_drop = 0;
  for (const testing::ReferencePair& pair : testing::reference_hash_inputs()) {
    const std::size_t m = pair.x.size(), n = pair.y.size();
    CAPTURE(m);
    const std::vector<PosteriorCell> cells = testing::pair_posteriors(pair.x, pair.y, model);
    found += cells.size();
    without_drop += run_task(pair.x, pair.y, model).size();
    const std::vector<float> kept = testing::dense_with_border(cells, m, n);
    const BothModels all = both_posteriors(pair.x, pair.y, model);
    double most = 0;  // that a cell lost, beyond what rounding may change
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const accord_vf whole =
          accord_combined(&combination, accord_set(all.hmm[k]), accord_set(all.partition[k]));
      const auto value = static_cast<double>(accord_lane(whole, 0));
      most = std::max(most, value * (1 - 1e-6) - static_cast<double>(kept[k]));
    }
    const double tiles = static_cast<double>((m / ACCORD_TILE + 1) * (n / ACCORD_TILE + 1));
    CHECK(most <= std::ldexp(tiles, -40));
  }
  CHECK(found < without_drop);
}

}  // namespace
}  // namespace accord
