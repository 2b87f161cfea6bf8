// SPDX-License-Identifier: Apache-2.0
// The meeting of two ends on a branch, its best length, and likelihoods.
#include <algorithm>
#include <cmath>

#include "base/portable_math.hpp"
#include "phylogeny/local_fit/partial_arithmetic.hpp"

namespace accord::host {
namespace {

constexpr double kLogOfTwo = 0x1.62e42fefa39efp-1;

/// Newton's method ends when a step is below this part of a length, or after this number of steps.
constexpr double kTolerance = 2e-3;
constexpr int kMostSteps = 12;

}  // namespace

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

void PartialArithmetic::meet(const BranchEnd& a, const BranchEnd& b, Meeting& meeting) const {
  meet(a, b, all_blocks_, meeting);
}

void PartialArithmetic::meet(const BranchEnd& a, const BranchEnd& b, Blocks blocks,
                             Meeting& meeting) const {
  Partials& products = meeting.products_;
  make_room(products);
  meeting.invariant_.resize(products.exponents.size());
  meeting.ends_ = {a, b};
  meeting.blocks_.assign(blocks.begin(), blocks.end());
  meeting.uphill_.clear();
  for (const std::uint32_t block : blocks) {
    if (!is_empty(a, block) && !is_empty(b, block)) meeting.uphill_.push_back(block);
  }
  for_parts(threads_, blocks.size(), 2.0 * rows_, [&](std::size_t first, std::size_t last) {
    AlignedRoom<double> room[2] = {AlignedRoom<double>(block_size()),
                                   AlignedRoom<double>(block_size())};
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t block = blocks[k];
      products.is_empty[block] = is_empty(a, block) || is_empty(b, block);
      if (products.is_empty[block] == 0) {
        kernels_.multiply_rows(end_block(a, block, room[0].data()),
                               end_block(b, block, room[1].data()), rows_,
                               &products.values[block * block_size()]);
      }
      std::int32_t* const exponents = &products.exponents[block * kLanes];
      std::fill_n(exponents, kLanes, 0);
      for (const BranchEnd* end : {&a, &b}) {
        if (end->is_tip() || is_empty(*end, block)) continue;
        const std::int32_t* const of_block = &end->partials->exponents[block * kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) exponents[lane] += of_block[lane];
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t c = block * kLanes + lane;
        meeting.invariant_[c] = invariant_[c] * accord_power_of_two(-exponents[lane]);
      }
    }
  });
}

std::array<double, 2> PartialArithmetic::slopes(const Meeting& meeting, double length) const {
  const std::vector<double> factor = factors(length);
  const std::vector<std::uint32_t>& blocks = meeting.uphill_;
  std::vector<double> found(2 * blocks.size());
  for_parts(threads_, blocks.size(), 3.0 * rows_, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t block = blocks[k];
      kernels_.slopes({&meeting.products_.values[block * block_size()], factor.data(), rows_,
                       &meeting.invariant_[block * kLanes], &weights_[block * kLanes]},
                      &found[2 * k]);
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
    // A step out of the known range ends at its border the first time, then halves the range.
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
  AlignedRoom<double> room[2] = {AlignedRoom<double>(block_size()),
                                 AlignedRoom<double>(block_size())};
  double sum = 0;
  for (const std::uint32_t block : meeting.blocks_) {
    double values[kLanes];
    if (meeting.products_.is_empty[block] == 0) {
      kernels_.likelihoods(
          {&meeting.products_.values[block * block_size()], factor.data(), rows_, nullptr, nullptr},
          values);
    } else {
      const double* const three[] = {end_block(meeting.ends_[0], block, room[0].data()),
                                     end_block(meeting.ends_[1], block, room[1].data()),
                                     ones_.data()};
      kernels_.likelihoods_at_node(three, factor.data(), rows_, values);
    }
    if (!add_logs(values, &meeting.products_.exponents[block * kLanes], block, sites, sum)) {
      return -HUGE_VAL;
    }
  }
  return sum;
}

double PartialArithmetic::total(const Partials& a, const Partials& b, const Partials& c,
                                Blocks blocks) const {
  double sum = 0;
  for (const std::uint32_t block : blocks) {
    const double* values[3];
    std::int32_t exponents[kLanes] = {};
    int k = 0;
    for (const Partials* message : {&a, &b, &c}) {
      const bool is_empty = message->is_empty[block] != 0;
      values[k++] = is_empty ? ones_.data() : &message->values[block * block_size()];
      for (std::size_t lane = 0; lane < kLanes && !is_empty; ++lane) {
        exponents[lane] += message->exponents[block * kLanes + lane];
      }
    }
    double found[kLanes];
    kernels_.likelihoods_at_node(values, root_.data(), rows_, found);
    if (!add_logs(found, exponents, block, nullptr, sum)) return -HUGE_VAL;
  }
  return sum;
}

bool PartialArithmetic::add_logs(const double* values, const std::int32_t* exponents,
                                 std::size_t block, std::vector<double>* sites, double& sum) const {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t c = block * kLanes + lane;
    if (weights_[c] == 0 && (sites == nullptr || c >= sites->size())) continue;
    const std::int32_t exponent = exponents[lane];
    const double value = invariant_[c] > 0
                             ? invariant_[c] + std::ldexp(std::max(values[lane], 0.0), exponent)
                             : values[lane];
    if (!(value > 0)) return false;
    const double site = portable_log(value) + (invariant_[c] > 0 ? 0 : exponent * kLogOfTwo);
    sum += weights_[c] * site;
    if (sites != nullptr) (*sites)[c] = site;
  }
  return true;
}

}  // namespace accord::host
