// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_call.hpp"

#include <initializer_list>
#include <utility>

#include "engine/backend.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {

void PosteriorCall::deliver(std::uint32_t x, std::uint32_t y, PairPosterior pair,
                            std::uint64_t reported) const {
  // The cells are reported first, so that all cells of a delivered pair have been reported.
  if (listener != nullptr) (*listener)(x, cells_of(x, y) - reported);
  sink(x, y, std::move(pair));
}

SparseMatrix PosteriorCall::matrix_of(std::uint32_t x, std::uint32_t y,
                                      std::span<const PosteriorCell> cells) const {
  return model.calibration.matrix(sequences.length(x), sequences.length(y), cells);
}

std::string PosteriorCall::self_test(Backend& tested, Backend& reference) {
  constexpr std::size_t kInBands = std::size_t{1} << 20;
  const auto difference = [&](const SelfTestFamily& family, const PosteriorModel& model,
                              std::initializer_list<std::size_t> task_bytes) {
    const auto expected = family.matrices(reference, model);
    std::string where;
    for (const std::size_t most : task_bytes) {
      if (!where.empty()) break;
      const auto found = family.matrices(tested, model, most);
      where = family.first_difference([&](std::size_t k) { return expected[k] == found[k]; });
    }
    return where.empty() ? where : "wrong posteriors " + where;
  };
  const SelfTestFamily family;
  for (const PosteriorModel& model : family.models()) {
    std::string problem = difference(family, model, {SIZE_MAX, kInBands});
    if (!problem.empty()) return problem;
  }
  for (const SelfTestFamily& other : {SelfTestFamily::long_pair(), SelfTestFamily::short_pairs()}) {
    std::string problem = difference(other, other.models().front(), {SIZE_MAX});
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace accord
