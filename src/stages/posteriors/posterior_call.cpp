// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_call.hpp"

#include <utility>

namespace accord {

void PosteriorCall::deliver(std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> cells,
                            std::uint64_t told) const {
  // A pair that has been handed over has all of its cells behind it.
  if (listener != nullptr) (*listener)(x, y, cells_of(x, y) - told);
  if (const auto* to_cells = std::get_if<CellSink>(&sink)) {
    (*to_cells)(x, y, cells);
  } else {
    std::get<MatrixSink>(sink)(
        x, y, model.calibration.matrix(sequences.length(x), sequences.length(y), cells));
  }
}

void PosteriorCall::deliver(std::uint32_t x, std::uint32_t y, PairPosterior pair) const {
  if (listener != nullptr) (*listener)(x, y, cells_of(x, y));
  std::get<MatrixSink>(sink)(x, y, std::move(pair));
}

}  // namespace accord
