// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/local_fit/partial_arithmetic.hpp"

#include <numeric>

namespace accord::host {
namespace {

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
      all_blocks_(blocks_),
      left_columns_(columns_of(task.process.left, states_)),
      right_columns_(columns_of(task.process.right, states_)),
      tip_rows_(std::size_t{rows_} * width_),
      ones_(block_size(), 1.0),
      empty_end_(block_size()),
      root_(rows_),
      is_empty_tip_(task.patterns.tips * blocks_),
      invariant_(task.patterns.stride(), 0.0),
      weights_(task.patterns.stride(), 0.0) {
  const SitePatterns& patterns = task.patterns;
  std::iota(all_blocks_.begin(), all_blocks_.end(), 0u);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double* const left = &task.process.left[row % states_ * states_];
    const auto sum_of = [&](std::uint64_t symbol) {
      double sum = 0;
      for (std::size_t s = 0; s < states_; ++s) {
        if (symbol >> s & 1) sum += left[s];
      }
      return sum;
    };
    for (std::size_t code = 0; code < patterns.symbols.size(); ++code) {
      tip_rows_[row * width_ + code] = sum_of(patterns.symbols[code]);
    }
    std::fill_n(&empty_end_[row * kLanes], kLanes, sum_of(~std::uint64_t{0}));
    root_[row] = task.process.weights[row / states_] * task.process.frequencies[row % states_];
  }
  find_empty_tips();
  for (std::size_t c = 0; c < patterns.count(); ++c) {
    weights_[c] = patterns.weights[c];
    const std::uint64_t common = task.process.invariant > 0 ? patterns.common_states(c) : 0;
    for (std::size_t s = 0; s < states_; ++s) {
      if (common >> s & 1) invariant_[c] += task.process.invariant * task.process.frequencies[s];
    }
  }
}

void PartialArithmetic::find_empty_tips() {
  const SitePatterns& patterns = task_.patterns;
  const std::uint64_t every = ~std::uint64_t{0} >> (64 - states_);
  for (std::uint32_t tip = 0; tip < patterns.tips; ++tip) {
    for (std::size_t block = 0; block < blocks_; ++block) {
      const std::size_t first = block * kLanes;
      bool is_empty = true;
      for (std::size_t c = first; c < std::min(first + kLanes, patterns.count()); ++c) {
        is_empty = is_empty && (patterns.symbols[patterns.code(tip, c)] & every) == every;
      }
      is_empty_tip_[tip * blocks_ + block] = is_empty;
    }
  }
}

bool PartialArithmetic::is_empty(const BranchEnd& end, std::size_t block) const {
  if (end.is_tip()) return is_empty_tip_[end.tip * blocks_ + block] != 0;
  return end.partials->is_empty[block] != 0;
}

std::vector<double> PartialArithmetic::powers(double length) const {
  std::vector<double> found(2 * std::size_t{rows_});
  branch_factors(task_.process, length, found);
  return found;
}

std::vector<double> PartialArithmetic::matrices(const std::vector<double>& powers) const {
  std::vector<double> found(std::size_t{rows_} * states_);
  for (std::size_t row = 0; row < rows_; ++row) {  // column k of a category
    const double* const column = &right_columns_[row % states_ * states_];
    for (std::size_t s = 0; s < states_; ++s) found[row * states_ + s] = column[s] * powers[row];
  }
  return found;
}

void PartialArithmetic::make_room(Partials& partials) const {
  partials.values.resize(blocks_ * block_size());
  partials.exponents.resize(blocks_ * kLanes);
  partials.is_empty.resize(blocks_);
}

void PartialArithmetic::multiply_block(const double* matrices, std::size_t step, const double* in,
                                       double* out) const {
  for (std::size_t r = 0; r < categories_; ++r) {
    kernels_.multiply(matrices + r * step, in + r * states_ * kLanes, states_,
                      out + r * states_ * kLanes);
  }
}

AlignedVector<double> PartialArithmetic::table_of(const std::vector<double>& matrices) const {
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

void PartialArithmetic::look_up_block(const AlignedVector<double>& table, std::uint32_t tip,
                                      std::size_t block, double* out) const {
  kernels_.look_up(table.data(), rows_, width_,
                   &task_.patterns.codes[tip * task_.patterns.stride() + block * kLanes], out);
}

const double* PartialArithmetic::end_block(const BranchEnd& end, std::size_t block,
                                           double* room) const {
  if (is_empty(end, block)) return empty_end_.data();
  if (!end.is_tip()) return &end.partials->values[block * block_size()];
  look_up_block(tip_rows_, end.tip, block, room);
  return room;
}

void PartialArithmetic::set(const BranchEnd& end, double length, Message& message) const {
  message.end_ = end;
  message.powers_ = powers(length);
  message.matrices_ = matrices(message.powers_);
  if (end.is_tip()) message.table_ = table_of(message.matrices_);
  message.values_.resize(blocks_ * block_size());
  message.is_set_.assign(blocks_, 0);
}

const double* PartialArithmetic::message_block(Message& message, std::size_t block) const {
  double* const values = &message.values_[block * block_size()];
  if (message.is_set_[block] != 0) return values;
  message.is_set_[block] = 1;
  const BranchEnd& end = message.end_;
  if (end.is_tip()) {
    look_up_block(message.table_, end.tip, block, values);
  } else {
    multiply_block(message.matrices_.data(), std::size_t{states_} * states_,
                   &end.partials->values[block * block_size()], values);
  }
  return values;
}

void PartialArithmetic::join_block(Message& a, Message& b, std::size_t block, double* room,
                                   Partials& out) const {
  const bool is_a_empty = is_empty(a.end_, block), is_b_empty = is_empty(b.end_, block);
  out.is_empty[block] = is_a_empty && is_b_empty;
  double* const values = &out.values[block * block_size()];
  std::int32_t* const exponents = &out.exponents[block * kLanes];
  std::fill_n(exponents, kLanes, 0);
  for (const BranchEnd* end : {&a.end_, &b.end_}) {
    if (is_empty(*end, block) || end->is_tip()) continue;
    const std::int32_t* const of_block = &end->partials->exponents[block * kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) exponents[lane] += of_block[lane];
  }
  if (is_a_empty && is_b_empty) return;
  if (is_a_empty || is_b_empty) {
    const Message& only = is_a_empty ? b : a;
    return kernels_.scale_rows(end_block(only.end_, block, room), only.powers_.data(), rows_,
                               values);
  }
  std::int32_t shift[kLanes];
  kernels_.product(message_block(a, block), message_block(b, block), rows_, room, shift);
  multiply_block(left_columns_.data(), 0, room, values);
  for (std::size_t lane = 0; lane < kLanes; ++lane) exponents[lane] -= shift[lane];
}

void PartialArithmetic::join(Message& a, Message& b, Partials& out) const {
  make_room(out);
  for_parts(threads_, blocks_, 3.0 * rows_ * states_, [&](std::size_t first, std::size_t last) {
    AlignedRoom<double> room(block_size());
    for (std::size_t block = first; block < last; ++block) {
      join_block(a, b, block, room.data(), out);
    }
  });
}

std::vector<double> PartialArithmetic::transitions(double length) const {
  // The end of each state, in rows of an eigenvalue's values, as table_of() has them for codes.
  const std::vector<double> of_eigenvalues = matrices(powers(length));
  const std::size_t size = std::size_t{states_} * states_;
  std::vector<double> found(categories_ * size);
  AlignedVector<double> in(states_ * kLanes), out(in.size());
  for (std::size_t r = 0; r < categories_; ++r) {
    for (std::size_t first = 0; first < states_; first += kLanes) {
      const std::size_t count = std::min<std::size_t>(kLanes, states_ - first);
      for (std::size_t k = 0; k < states_; ++k) {
        std::copy_n(&task_.process.left[k * states_ + first], count, &in[k * kLanes]);
      }
      kernels_.multiply(&of_eigenvalues[r * size], in.data(), states_, out.data());
      for (std::size_t s = 0; s < states_; ++s) {
        for (std::size_t j = 0; j < count; ++j) {
          found[r * size + (first + j) * states_ + s] = std::max(out[s * kLanes + j], 0.0);
        }
      }
    }
  }
  return found;
}

void PartialArithmetic::cross(const BranchEnd& end, double length, Blocks blocks,
                              Partials& out) const {
  make_room(out);
  const std::vector<double> matrix = matrices(powers(length));
  const AlignedVector<double> table = end.is_tip() ? table_of(matrix) : AlignedVector<double>();
  for (const std::uint32_t block : blocks) {
    out.is_empty[block] = is_empty(end, block);
    std::fill_n(&out.exponents[block * kLanes], kLanes, 0);
    if (out.is_empty[block] != 0) continue;
    double* const values = &out.values[block * block_size()];
    if (end.is_tip()) {
      look_up_block(table, end.tip, block, values);
    } else {
      multiply_block(matrix.data(), std::size_t{states_} * states_,
                     &end.partials->values[block * block_size()], values);
      std::copy_n(&end.partials->exponents[block * kLanes], kLanes, &out.exponents[block * kLanes]);
    }
  }
}

void PartialArithmetic::multiply(const Partials& a, const Partials& b, Blocks blocks,
                                 Partials& out) const {
  make_room(out);
  for (const std::uint32_t block : blocks) {
    const std::size_t at = block * block_size(), lanes = block * kLanes;
    const bool is_a_empty = a.is_empty[block] != 0, is_b_empty = b.is_empty[block] != 0;
    out.is_empty[block] = is_a_empty && is_b_empty;
    if (is_a_empty || is_b_empty) {
      const Partials& only = is_a_empty ? b : a;
      std::copy_n(&only.exponents[lanes], kLanes, &out.exponents[lanes]);
      if (out.is_empty[block] == 0) std::copy_n(&only.values[at], block_size(), &out.values[at]);
      continue;
    }
    std::int32_t shift[kLanes];
    kernels_.product(&a.values[at], &b.values[at], rows_, &out.values[at], shift);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out.exponents[lanes + lane] =
          a.exponents[lanes + lane] + b.exponents[lanes + lane] - shift[lane];
    }
  }
}

void PartialArithmetic::cross(const Partials& product, const std::vector<double>& matrices,
                              Blocks blocks, Partials& out) const {
  transform(product, matrices.data(), std::size_t{states_} * states_, blocks, out);
}

void PartialArithmetic::finish(const Partials& product, Blocks blocks, Partials& out) const {
  transform(product, left_columns_.data(), 0, blocks, out);
}

void PartialArithmetic::transform(const Partials& in, const double* matrices, std::size_t step,
                                  Blocks blocks, Partials& out) const {
  make_room(out);
  for (const std::uint32_t block : blocks) {
    out.is_empty[block] = in.is_empty[block];
    std::copy_n(&in.exponents[block * kLanes], kLanes, &out.exponents[block * kLanes]);
    if (in.is_empty[block] != 0) continue;
    multiply_block(matrices, step, &in.values[block * block_size()],
                   &out.values[block * block_size()]);
  }
}

}  // namespace accord::host
