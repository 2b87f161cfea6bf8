// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/portable_math.hpp"
#include "stages/local_fit/partial_tree.hpp"

namespace accord::host {
namespace {

constexpr std::size_t kLanes = ACCORD_PATTERN_BLOCK;
constexpr double kLogOfTwo = 0x1.62e42fefa39efp-1;

/// Newton's method ends at this part of a length, or after so many steps.
constexpr double kTolerance = 2e-3;
constexpr int kMostSteps = 12;

std::vector<double> columns_of(const std::vector<double>& rows, std::size_t states) {
  std::vector<double> columns(rows.size());
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t j = 0; j < states; ++j) columns[j * states + s] = rows[s * states + j];
  }
  return columns;
}

}  // namespace

PartialArithmetic::PartialArithmetic(const QuartetKernels& kernels, const LocalFitTask& task,
                                     int threads)
    : kernels_(kernels),
      task_(task),
      threads_(threads),
      states_(task.process.states),
      categories_(static_cast<std::uint32_t>(task.process.rates.size())),
      rows_(states_ * categories_),
      width_(static_cast<std::uint32_t>((task.patterns.symbols.size() + kLanes - 1) / kLanes *
                                        kLanes)),
      blocks_(task.patterns.stride() / kLanes),
      left_columns_(columns_of(task.process.left, states_)),
      right_columns_(columns_of(task.process.right, states_)),
      tip_rows_(std::size_t{rows_} * width_),
      invariant_(task.patterns.stride(), 0.0),
      weights_(task.patterns.stride(), 0.0) {
  const SitePatterns& patterns = task.patterns;
  for (std::size_t code = 0; code < patterns.symbols.size(); ++code) {
    for (std::size_t row = 0; row < rows_; ++row) {
      double sum = 0;
      for (std::size_t s = 0; s < states_; ++s) {
        if (patterns.symbols[code] >> s & 1) sum += task.process.left[row % states_ * states_ + s];
      }
      tip_rows_[row * width_ + code] = sum;
    }
  }
  for (std::size_t c = 0; c < patterns.count(); ++c) {
    weights_[c] = patterns.weights[c];
    const std::uint64_t common = task.process.invariant > 0 ? patterns.common_states(c) : 0;
    for (std::size_t s = 0; s < states_; ++s) {
      if (common >> s & 1) invariant_[c] += task.process.invariant * task.process.frequencies[s];
    }
  }
}

template <class Body>
void PartialArithmetic::for_blocks(double work, const Body& body) const {
  constexpr double kLeastWork = 1e6;  // multiplications of a thread, some 30 microseconds
  const double most = work * static_cast<double>(blocks_) * kLanes / kLeastWork;
  const auto parts = static_cast<std::size_t>(std::clamp(most, 1.0, double(threads_)));
  if (parts == 1) return body(0, blocks_);
  parallel_for(parts,
               [&](std::size_t k, int) { body(k * blocks_ / parts, (k + 1) * blocks_ / parts); });
}

std::vector<double> PartialArithmetic::matrices(double length) const {
  std::vector<double> powers(2 * std::size_t{rows_}), found(std::size_t{rows_} * states_);
  branch_factors(task_.process, length, powers);
  for (std::size_t row = 0; row < rows_; ++row) {  // column k of a category
    const double* const column = &right_columns_[row % states_ * states_];
    for (std::size_t s = 0; s < states_; ++s) found[row * states_ + s] = column[s] * powers[row];
  }
  return found;
}

std::vector<double> PartialArithmetic::factors(double length) const {
  std::vector<double> found(3 * std::size_t{rows_});
  branch_factors(task_.process, length, std::span(found).first(2 * std::size_t{rows_}));
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::size_t r = row / states_;
    const double rate = task_.process.eigenvalues[row % states_] * task_.process.rates[r];
    found[row] *= task_.process.weights[r];
    found[rows_ + row] *= task_.process.weights[r];
    found[2 * std::size_t{rows_} + row] = found[rows_ + row] * rate;
  }
  return found;
}

const std::uint8_t* PartialArithmetic::codes(std::uint32_t tip, std::size_t block) const {
  return &task_.patterns.codes[tip * task_.patterns.stride() + block * kLanes];
}

void PartialArithmetic::make_room(Partials& partials) const {
  partials.values.resize(blocks_ * rows_ * kLanes);
  partials.exponents.resize(blocks_ * kLanes);
}

AlignedVector<double> PartialArithmetic::table_of(const BranchEnd& end,
                                                  const std::vector<double>& matrices) const {
  if (!end.is_tip()) return {};
  AlignedVector<double> table(std::size_t{rows_} * width_), in(states_ * kLanes), out(in.size());
  for (std::size_t r = 0; r < categories_; ++r) {
    for (std::size_t first = 0; first < width_; first += kLanes) {
      for (std::size_t k = 0; k < states_; ++k) {
        std::copy_n(&tip_rows_[k * width_ + first], kLanes, &in[k * kLanes]);
      }
      kernels_.multiply(&matrices[r * states_ * states_], in.data(), states_, out.data());
      for (std::size_t s = 0; s < states_; ++s) {
        std::copy_n(&out[s * kLanes], kLanes, &table[(r * states_ + s) * width_ + first]);
      }
    }
  }
  // Rounding leaves no probability below 0.
  for (double& value : table) value = std::max(value, 0.0);
  return table;
}

void PartialArithmetic::cross_block(const BranchEnd& end, const std::vector<double>& matrices,
                                    const AlignedVector<double>& table, std::size_t block,
                                    double* out) const {
  if (end.is_tip()) {
    return kernels_.look_up(table.data(), rows_, width_, codes(end.tip, block), out);
  }
  const double* const in = &end.partials->values[block * rows_ * kLanes];
  for (std::size_t r = 0; r < categories_; ++r) {
    kernels_.multiply(&matrices[r * states_ * states_], in + r * states_ * kLanes, states_,
                      out + r * states_ * kLanes);
  }
}

void PartialArithmetic::cross(const BranchEnd& end, double length, Partials& out) const {
  make_room(out);
  const std::vector<double> matrix = matrices(length);
  const AlignedVector<double> table = table_of(end, matrix);
  for_blocks(double(rows_) * states_, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      cross_block(end, matrix, table, block, &out.values[block * rows_ * kLanes]);
    }
  });
  if (end.is_tip()) {
    std::fill(out.exponents.begin(), out.exponents.end(), 0);
  } else {
    out.exponents = end.partials->exponents;
  }
}

void PartialArithmetic::combine_block(const double* a, const std::int32_t* a_exponents,
                                      const double* b, const std::int32_t* b_exponents,
                                      double* product, Partials& out, std::size_t block) const {
  std::int32_t shift[kLanes];
  kernels_.product(a, b, rows_, product, shift);
  for (std::size_t r = 0; r < categories_; ++r) {
    kernels_.multiply(left_columns_.data(), product + r * states_ * kLanes, states_,
                      &out.values[(block * rows_ + r * states_) * kLanes]);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    out.exponents[block * kLanes + lane] = a_exponents[lane] + b_exponents[lane] - shift[lane];
  }
}

void PartialArithmetic::join(const Partials& a, const Partials& b, Partials& out) const {
  make_room(out);
  for_blocks(double(rows_) * states_, [&](std::size_t first, std::size_t last) {
    AlignedVector<double> product(rows_ * kLanes);
    for (std::size_t block = first; block < last; ++block) {
      const std::size_t at = block * rows_ * kLanes, lane = block * kLanes;
      combine_block(&a.values[at], &a.exponents[lane], &b.values[at], &b.exponents[lane],
                    product.data(), out, block);
    }
  });
}

void PartialArithmetic::join(const BranchEnd& a, double a_length, const BranchEnd& b,
                             double b_length, Partials& out) const {
  make_room(out);
  const std::vector<double> a_matrix = matrices(a_length), b_matrix = matrices(b_length);
  const AlignedVector<double> a_table = table_of(a, a_matrix), b_table = table_of(b, b_matrix);
  const std::vector<std::int32_t> none(kLanes, 0);
  for_blocks(3.0 * rows_ * states_, [&](std::size_t first, std::size_t last) {
    AlignedVector<double> from_a(rows_ * kLanes), from_b(rows_ * kLanes);
    for (std::size_t block = first; block < last; ++block) {
      const auto exponents = [&](const BranchEnd& end) {
        return end.is_tip() ? none.data() : &end.partials->exponents[block * kLanes];
      };
      cross_block(a, a_matrix, a_table, block, from_a.data());
      cross_block(b, b_matrix, b_table, block, from_b.data());
      combine_block(from_a.data(), exponents(a), from_b.data(), exponents(b), from_a.data(), out,
                    block);
    }
  });
}

void PartialArithmetic::meet(const BranchEnd& a, const BranchEnd& b, Meeting& meeting) const {
  Partials& products = meeting.products_;
  make_room(products);
  meeting.invariant_.resize(products.exponents.size());
  for_blocks(2.0 * rows_, [&](std::size_t first_block, std::size_t last_block) {
    AlignedVector<double> room[2] = {AlignedVector<double>(rows_ * kLanes),
                                     AlignedVector<double>(rows_ * kLanes)};
    for (std::size_t block = first_block; block < last_block; ++block) {
      const double* values[2];
      for (int k = 0; k < 2; ++k) {
        const BranchEnd& end = k == 0 ? a : b;
        if (end.is_tip()) {
          kernels_.look_up(tip_rows_.data(), rows_, width_, codes(end.tip, block), room[k].data());
        }
        values[k] = end.is_tip() ? room[k].data() : &end.partials->values[block * rows_ * kLanes];
      }
      kernels_.multiply_rows(values[0], values[1], rows_, &products.values[block * rows_ * kLanes]);
      for (std::size_t lane = block * kLanes; lane < (block + 1) * kLanes; ++lane) {
        products.exponents[lane] = (a.is_tip() ? 0 : a.partials->exponents[lane]) +
                                   (b.is_tip() ? 0 : b.partials->exponents[lane]);
        meeting.invariant_[lane] =
            invariant_[lane] * accord_power_of_two(-products.exponents[lane]);
      }
    }
  });
}

std::array<double, 2> PartialArithmetic::slopes(const Meeting& meeting, double length) const {
  const std::vector<double> factor = factors(length);
  std::vector<double> found(2 * blocks_);
  for_blocks(3.0 * rows_, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      kernels_.slopes({&meeting.products_.values[block * rows_ * kLanes], factor.data(), rows_,
                       &meeting.invariant_[block * kLanes], &weights_[block * kLanes]},
                      &found[2 * block]);
    }
  });
  std::array<double, 2> sum = {0, 0};
  for (std::size_t k = 0; k < found.size(); ++k) sum[k % 2] += found[k];
  return sum;
}

double PartialArithmetic::best_length(const Meeting& meeting, double start) const {
  double low = task_.shortest, high = task_.longest;
  double length = std::clamp(start, low, high);
  for (int step = 0; step < kMostSteps; ++step) {
    const auto [slope, curvature] = slopes(meeting, length);
    if (slope == 0 || (slope < 0 && length <= task_.shortest) ||
        (slope > 0 && length >= task_.longest)) {
      break;
    }
    (slope > 0 ? low : high) = length;
    double next = curvature < 0 ? length - slope / curvature : slope > 0 ? high : low;
    // A step out of what is known ends at its border the first time, then halves it.
    if (next <= low && low > task_.shortest) next = std::sqrt(low * high);
    if (next >= high && high < task_.longest) next = std::sqrt(low * high);
    next = std::clamp(next, std::max(task_.shortest, length / 10), length * 10);
    next = std::min(next, task_.longest);
    const double moved = std::abs(next - length);
    length = next;
    if (moved <= kTolerance * length) break;
  }
  return length;
}

double PartialArithmetic::total(const Meeting& meeting, double length,
                                std::vector<double>* sites) const {
  const std::vector<double> factor = factors(length);
  if (sites != nullptr) sites->assign(task_.patterns.count(), -HUGE_VAL);
  double sum = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    double values[kLanes];
    kernels_.likelihoods(
        {&meeting.products_.values[block * rows_ * kLanes], factor.data(), rows_, nullptr, nullptr},
        values);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t c = block * kLanes + lane;
      if (weights_[c] == 0 && (sites == nullptr || c >= sites->size())) continue;
      const std::int32_t exponent = meeting.products_.exponents[c];
      const double value = invariant_[c] > 0
                               ? invariant_[c] + std::ldexp(std::max(values[lane], 0.0), exponent)
                               : values[lane];
      if (!(value > 0)) return -HUGE_VAL;
      const double site = portable_log(value) + (invariant_[c] > 0 ? 0 : exponent * kLogOfTwo);
      sum += weights_[c] * site;
      if (sites != nullptr) (*sites)[c] = site;
    }
  }
  return sum;
}

}  // namespace accord::host
