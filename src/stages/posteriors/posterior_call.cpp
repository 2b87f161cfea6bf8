// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_call.hpp"

#include <utility>

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

}  // namespace accord
