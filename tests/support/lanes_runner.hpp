// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <vector>

#include "engine/host/kernels.hpp"
#include "stages/posteriors/posterior_host_kernels.hpp"
#include "stages/posteriors/posterior_plan.hpp"
#include "support/sequences.hpp"

namespace accord::testing {

/// Row, column and the bits of the probability of a posterior cell.
using CellBits = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// The cells of a pair by row, then column.
inline std::vector<CellBits> sorted_bits(std::span<const accord_cell> cells) {
  std::vector<CellBits> bits;
  bits.reserve(cells.size());
  for (const accord_cell& cell : cells) {
    bits.emplace_back(cell.row, cell.column, std::bit_cast<std::uint32_t>(cell.probability));
  }
  std::sort(bits.begin(), bits.end());
  return bits;
}

/// Aligned memory of an exact size between two guards. It is filled with the bytes of NaNs, so
/// that a value that was never written shows in every result that depends on it.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes)
      : bytes_(bytes),
        memory_(static_cast<unsigned char*>(
            ::operator new (bytes + 2 * kGuard, std::align_val_t{kGuard}))) {
    std::memset(memory_.get(), kGuardByte, kGuard);
    std::memset(data(), 0xff, bytes);
    std::memset(memory_.get() + kGuard + bytes, kGuardByte, kGuard);
  }

  void* data() { return memory_.get() + kGuard; }

  /// True if nothing was written before or after the memory.
  bool guards_hold() const {
    const auto holds = [](const unsigned char* guard) {
      return std::all_of(guard, guard + kGuard, [](unsigned char b) { return b == kGuardByte; });
    };
    return holds(memory_.get()) && holds(memory_.get() + kGuard + bytes_);
  }

 private:
  static constexpr std::size_t kGuard = 64;
  struct Free {
    void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{kGuard}); }
  };
  static constexpr unsigned char kGuardByte = 0x5a;

  std::size_t bytes_;
  std::unique_ptr<unsigned char, Free> memory_;
};

/// Posterior cells of each x against y, computed as one task in exactly `bytes` of memory. There
/// are at most kernels.lanes x's, in any order.
inline std::vector<std::vector<CellBits>> run_posterior_task(
    void (*run)(host::LanesTask&), const std::vector<Codes>& xs, const Codes& y,
    const accord_model& model, std::uint32_t band_columns, std::size_t bytes) {
  host::LanesTask task{};
  task.count = static_cast<std::uint32_t>(xs.size());
  for (std::size_t lane = 0; lane < xs.size(); ++lane) {
    task.x[lane] = xs[lane].data();
    task.m[lane] = static_cast<std::uint32_t>(xs[lane].size());
  }
  task.y = y.data();
  task.n = static_cast<std::uint32_t>(y.size());
  task.band_columns = band_columns;
  task.model = &model;
  GuardedMemory workspace(bytes);
  task.memory = workspace.data();

  std::vector<std::vector<CellBits>> results(xs.size());
  for (std::uint32_t capacity = 8 * (task.m[0] + task.n); true;) {
    GuardedMemory cells(std::size_t{capacity} * task.count * sizeof(accord_cell));
    task.capacity = capacity;
    task.cells = static_cast<accord_cell*>(cells.data());
    run(task);
    CHECK(workspace.guards_hold());
    CHECK(cells.guards_hold());
    capacity = *std::max_element(task.found, task.found + task.count);
    if (capacity > task.capacity) continue;
    for (std::uint32_t lane = 0; lane < task.count; ++lane) {
      results[lane] =
          sorted_bits(std::span(task.cells + std::size_t{lane} * task.capacity, task.found[lane]));
    }
    return results;
  }
}

inline std::uint32_t longest_of(const std::vector<Codes>& xs) {
  std::size_t longest = 0;
  for (const Codes& x : xs) longest = std::max(longest, x.size());
  return static_cast<std::uint32_t>(longest);
}

/// In the lanes layout, in the memory that pair_task_bytes() states.
inline std::vector<std::vector<CellBits>> run_lanes_task(const host::Kernels& kernels,
                                                         const std::vector<Codes>& xs,
                                                         const Codes& y, const accord_model& model,
                                                         std::uint32_t band_columns = 0) {
  const auto cols = static_cast<std::uint32_t>(y.size());
  return run_posterior_task(kernels.posteriors->run_lanes, xs, y, model, band_columns,
                            pair_task_bytes(longest_of(xs), cols, band_columns, kernels.lanes));
}

/// In the wavefront layout, in the memory that wavefront_task_bytes() states.
inline std::vector<std::vector<CellBits>> run_wavefront_task(const host::Kernels& kernels,
                                                             const std::vector<Codes>& xs,
                                                             const Codes& y,
                                                             const accord_model& model,
                                                             std::uint32_t band_rounds = 0) {
  const auto cols = static_cast<std::uint32_t>(y.size());
  const auto pairs = static_cast<std::uint32_t>(xs.size());
  return run_posterior_task(
      kernels.posteriors->run_wavefront, xs, y, model, band_rounds * kernels.lanes * ACCORD_TILE,
      wavefront_task_bytes(longest_of(xs), cols, pairs, band_rounds, kernels.lanes));
}

}  // namespace accord::testing
