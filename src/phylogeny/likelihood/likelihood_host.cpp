// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/aligned_vector.hpp"
#include "engine/host/kernels.hpp"
#include "phylogeny/likelihood/likelihood_block.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord::host {
namespace {

constexpr std::size_t kLanes = ACCORD_PATTERN_BLOCK;

/// The largest size of the matrices of the tasks that are computed together.
constexpr std::size_t kMatrixBytes = std::size_t{256} << 20;

/// Working memory of a thread that fills matrices.
struct FillRoom {
  AlignedVector<double> factors, scratch, matrix;
};

template <class Real>
const PeelKernels<Real>& peel_kernels(const LikelihoodKernels& kernels) {
  if constexpr (std::is_same_v<Real, float>) {
    return *kernels.of_floats;
  } else {
    return kernels.of_doubles;
  }
}

/// A task with the matrices of its branches (layout as in LikelihoodBlock).
template <class Real>
class PreparedTask {
 public:
  explicit PreparedTask(const LikelihoodTask& task)
      : task_(task),
        states_(task.process.states),
        categories_(task.process.rates.size()),
        table_width_((task.patterns.symbols.size() + 15) / 16 * 16),
        right_columns_(states_ * states_),
        frequencies_(task.process.frequencies.begin(), task.process.frequencies.end()) {
    for (std::size_t s = 0; s < states_; ++s) {
      for (std::size_t k = 0; k < states_; ++k) {
        right_columns_[k * states_ + s] = task.process.right[s * states_ + k];
      }
    }
    for (int slope = 0; slope < (task.derivatives ? 2 : 1); ++slope) {
      matrices_[slope].resize(joins() * categories_ * states_ * states_);
      tables_[slope].resize(task.tree.leaves * categories_ * states_ * table_width_);
    }
  }

  static std::size_t bytes(const LikelihoodTask& task) {
    const std::size_t states = task.process.states;
    const std::size_t inner = task.tree.left.size() * states * states;
    const std::size_t tips = task.tree.leaves * states * (task.patterns.symbols.size() + 15);
    return sizeof(Real) * task.process.rates.size() * (inner + tips) * (task.derivatives ? 2 : 1);
  }

  const LikelihoodTask& task() const { return task_; }
  std::size_t nodes() const { return task_.tree.nodes(); }
  std::size_t blocks() const { return task_.patterns.stride() / kLanes; }
  std::size_t joins() const { return task_.tree.left.size(); }
  std::size_t states() const { return states_; }
  std::size_t categories() const { return categories_; }

  /// Computes the matrices of the branch above a node.
  void fill(const LikelihoodKernels& kernels, std::uint32_t node, FillRoom& room) {
    if (node + 1 == nodes()) return;  // there is no branch above the root
    room.factors.resize(2 * categories_ * states_);
    room.scratch.resize(states_ * (states_ + 8));
    room.matrix.resize(states_ * states_);
    branch_factors(task_.process, task_.lengths[node], room.factors);
    for (int slope = 0; slope < (task_.derivatives ? 2 : 1); ++slope) {
      for (std::size_t r = 0; r < categories_; ++r) {
        kernels.transition({static_cast<std::uint32_t>(states_), right_columns_.data(),
                            &room.factors[(slope * categories_ + r) * states_],
                            task_.process.left.data(), slope == 0, room.scratch.data(),
                            room.matrix.data()});
        if (node < task_.tree.leaves) {
          fill_table(room.matrix, slope, node * categories_ + r);
        } else {
          const std::size_t place = (node - task_.tree.leaves) * categories_ + r;
          std::copy(
              room.matrix.begin(), room.matrix.end(),
              matrices_[slope].begin() + static_cast<std::ptrdiff_t>(place * room.matrix.size()));
        }
      }
    }
  }

  LikelihoodBlock<Real> block(std::size_t first_pattern) const {
    const bool slopes = task_.derivatives;
    return {.tips = task_.tree.leaves,
            .joins = static_cast<std::uint32_t>(joins()),
            .states = static_cast<std::uint32_t>(states_),
            .categories = static_cast<std::uint32_t>(categories_),
            .table_width = static_cast<std::uint32_t>(table_width_),
            .left = task_.tree.left.data(),
            .right = task_.tree.right.data(),
            .matrices = matrices_[0].data(),
            .tables = tables_[0].data(),
            .slope_matrices = slopes ? matrices_[1].data() : nullptr,
            .slope_tables = slopes ? tables_[1].data() : nullptr,
            .frequencies = frequencies_.data(),
            .codes = task_.patterns.codes.data() + first_pattern,
            .code_stride = task_.patterns.stride(),
            .messages = nullptr,
            .exponents = nullptr,
            .shifts = nullptr,
            .scratch = nullptr,
            .root = nullptr,
            .share = nullptr,
            .slope = nullptr};
  }

 private:
  /// The sums of the matrix over the states of each code. For a code of all states, the sum is
  /// exactly 1 and its slope 0, so that gaps do not change the likelihood.
  void fill_table(const AlignedVector<double>& matrix, int slope, std::size_t place) {
    const std::uint64_t every = ~std::uint64_t{0} >> (64 - states_);
    Real* const table = &tables_[slope][place * states_ * table_width_];
    std::fill_n(table, states_ * table_width_, Real{0});
    for (std::size_t code = 0; code < task_.patterns.symbols.size(); ++code) {
      std::uint64_t symbol = task_.patterns.symbols[code];
      if (symbol == every) {
        for (std::size_t s = 0; s < states_ && slope == 0; ++s) table[s * table_width_ + code] = 1;
        continue;
      }
      for (; symbol != 0; symbol &= symbol - 1) {
        const double* const column = &matrix[std::countr_zero(symbol) * states_];
        for (std::size_t s = 0; s < states_; ++s) {
          table[s * table_width_ + code] += static_cast<Real>(column[s]);
        }
      }
    }
  }

  const LikelihoodTask& task_;
  std::size_t states_, categories_, table_width_;
  std::vector<double> right_columns_;
  std::vector<Real> frequencies_;
  std::array<AlignedRoom<Real>, 2> matrices_, tables_;  // of P, and of its slope
};

/// Working memory of a thread.
template <class Real>
struct Scratch {
  AlignedRoom<Real> messages, rows, root, share;
  AlignedRoom<std::int32_t> exponents, shifts;

  /// Makes room for a block, and sets the pointers of the block to it.
  void hold(LikelihoodBlock<Real>& block) {
    const std::size_t row = block.states * kLanes, values = block.categories * kLanes;
    const auto room = [](auto& buffer, std::size_t size) {
      if (buffer.size() < size) buffer.resize(size);
      return buffer.data();
    };
    block.messages = room(messages, block.joins * block.categories * row);
    block.exponents = room(exponents, block.joins * values);
    block.shifts = room(shifts, block.joins * values);
    block.scratch = room(rows, 5 * row);
    block.root = room(root, values);
    block.share = room(share, values);
  }
};

/// Writes the log-likelihoods of a block's patterns to `sites`, and the factors of their slopes to
/// `share`.
template <class Real>
void combine_block(const LikelihoodTask& task, const LikelihoodBlock<Real>& block,
                   std::size_t first, std::span<Real> share, std::span<double> sites) {
  const std::size_t categories = block.categories;
  std::vector<double> value(categories), of_pattern(categories);
  std::vector<std::int32_t> exponent(categories), scale(kLanes);
  const std::int32_t* const exponents =
      block.exponents + std::size_t{block.joins - 1} * categories * kLanes;
  std::fill(share.begin(), share.end(), Real{0});
  const std::span<double> of_block = sites.subspan(first, std::min(kLanes, sites.size() - first));
  for (std::size_t lane = 0; lane < of_block.size(); ++lane) {
    for (std::size_t r = 0; r < categories; ++r) {
      value[r] = block.root[r * kLanes + lane];
      exponent[r] = exponents[r * kLanes + lane];
    }
    const ScaledValue found = combine_categories(task, first + lane, {value, exponent}, of_pattern);
    of_block[lane] = found.value;
    scale[lane] = found.exponent;
    for (std::size_t r = 0; r < categories; ++r)
      share[r * kLanes + lane] = static_cast<Real>(of_pattern[r]);
  }
  take_logs(of_block, std::span(scale).first(of_block.size()));
}

/// Computes the tasks side by side, by blocks of patterns.
template <class Real>
void compute_group(const LikelihoodKernels& kernels, std::span<const LikelihoodTask> tasks,
                   std::span<Likelihood> results, std::vector<Scratch<Real>>& scratch) {
  const PeelKernels<Real>& peeling = peel_kernels<Real>(kernels);
  std::vector<PreparedTask<Real>> prepared;
  std::vector<std::pair<std::size_t, std::uint32_t>> branches;
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  std::vector<std::vector<Real>> slopes(tasks.size());  // of each block
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const PreparedTask<Real>& added = prepared.emplace_back(tasks[k]);
    for (std::uint32_t node = 0; node < added.nodes(); ++node) branches.emplace_back(k, node);
    for (std::size_t b = 0; b < added.blocks(); ++b) blocks.emplace_back(k, b);
    if (tasks[k].derivatives) slopes[k].resize(added.blocks() * added.nodes());
    results[k].sites.resize(tasks[k].patterns.count());
  }
  std::vector<FillRoom> rooms(static_cast<std::size_t>(thread_count()));
  parallel_for(branches.size(), [&](std::size_t index, int thread) {
    prepared[branches[index].first].fill(kernels, branches[index].second,
                                         rooms[static_cast<std::size_t>(thread)]);
  });
  parallel_for(blocks.size(), [&](std::size_t index, int thread) {
    const auto [k, b] = blocks[index];
    Scratch<Real>& thread_scratch = scratch[static_cast<std::size_t>(thread)];
    LikelihoodBlock<Real> block = prepared[k].block(b * kLanes);
    thread_scratch.hold(block);
    peeling.peel(block);
    combine_block<Real>(tasks[k], block, b * kLanes, thread_scratch.share, results[k].sites);
    if (!tasks[k].derivatives) return;
    block.slope = &slopes[k][b * prepared[k].nodes()];
    peeling.find_slopes(block);
  });
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const std::size_t nodes = prepared[k].nodes();
    results[k].total = weighted_sum(tasks[k].patterns.weights, results[k].sites);
    results[k].slope.assign(tasks[k].derivatives ? nodes : 0, 0.0);
    for (std::size_t at = 0; at < slopes[k].size(); ++at) {
      results[k].slope[at % nodes] += slopes[k][at];
    }
  }
}

/// Computes tasks of one precision: at once those whose matrices fit kMatrixBytes together, but at
/// least one.
template <class Real>
void compute_all(const LikelihoodKernels& kernels, std::span<const LikelihoodTask> tasks,
                 std::span<Likelihood> results) {
  std::vector<Scratch<Real>> scratch(static_cast<std::size_t>(thread_count()));
  for (std::size_t first = 0; first < tasks.size();) {
    std::size_t last = first, bytes = 0;
    while (last < tasks.size() &&
           (last == first || bytes + PreparedTask<Real>::bytes(tasks[last]) <= kMatrixBytes)) {
      bytes += PreparedTask<Real>::bytes(tasks[last++]);
    }
    compute_group<Real>(kernels, tasks.subspan(first, last - first),
                        results.subspan(first, last - first), scratch);
    first = last;
  }
}

}  // namespace

void compute(const Processor& processor, const LikelihoodCall& call) {
  const LikelihoodKernels& kernels = likelihood_kernels(*processor.wide);
  for (const LikelihoodTask& task : call.tasks) check(task);
  for (std::size_t first = 0; first < call.tasks.size();) {
    std::size_t last = first;
    const Precision precision = call.tasks[first].precision;
    while (last < call.tasks.size() && call.tasks[last].precision == precision) ++last;
    (precision == Precision::float32
         ? compute_all<float>
         : compute_all<double>)(kernels, call.tasks.subspan(first, last - first),
                                call.results.subspan(first, last - first));
    first = last;
  }
}

extern const LikelihoodKernels kLikelihoodKernelsGeneric;
#ifdef ACCORD_X86_KERNELS
extern const LikelihoodKernels kLikelihoodKernelsAvx2;
extern const LikelihoodKernels kLikelihoodKernelsAvx512;
#endif

const LikelihoodKernels& likelihood_kernels(const Kernels& kernels) {
  // In the order of InstructionSet.
  static constexpr const LikelihoodKernels* kBySet[] = {&kLikelihoodKernelsGeneric,
#ifdef ACCORD_X86_KERNELS
                                                        &kLikelihoodKernelsAvx2,
                                                        &kLikelihoodKernelsAvx512
#endif
  };
  return *kBySet[static_cast<std::size_t>(kernels.instructions)];
}

}  // namespace accord::host
