// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/aligned_vector.hpp"
#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/local_fit/quartet_kernels.hpp"

namespace accord::host {

/// The number of lanes of a block.
inline constexpr std::size_t kLanes = ACCORD_PATTERN_BLOCK;

/// Partial likelihoods of all patterns, in blocks of ACCORD_PATTERN_BLOCK lanes, one pattern per
/// lane. A block has a row for each state (or eigenvalue) of each rate category. A likelihood is
/// the stored value times two to the exponent of its lane.
struct Partials {
  AlignedRoom<double> values;           ///< [block][row][lane]; not set where `is_empty`
  AlignedRoom<std::int32_t> exponents;  ///< [block][lane]
  /// [block]: whether no tip on this side has data in the block, so that all states are equally
  /// likely. In alignments with many gaps such blocks save most of the work.
  std::vector<std::uint8_t> is_empty;
};

/// One end of a branch, which stands for all of the tree on that side: a tip, or partial
/// likelihoods by eigenvalue.
struct BranchEnd {
  static constexpr std::uint32_t kNoTip = UINT32_MAX;
  const Partials* partials = nullptr;  ///< null for a tip
  std::uint32_t tip = kNoTip;          ///< index of the tip in the patterns

  bool is_tip() const { return tip != kNoTip; }
};

/// The indices of some blocks of patterns, in increasing order.
using Blocks = std::span<const std::uint32_t>;

/// Divides blocks 0 ... blocks - 1 into at most `threads` parts with enough work each, and calls
/// body(first, last) for the blocks [first, last) of each part, side by side. `work` is the number
/// of multiplications for a pattern.
template <class Body>
void for_parts(int threads, std::size_t blocks, double work, const Body& body) {
  constexpr double kLeastWork = 1e6;  // multiplications of a thread, some 30 microseconds
  const double most = work * static_cast<double>(blocks) * ACCORD_PATTERN_BLOCK / kLeastWork;
  const auto parts = static_cast<std::size_t>(std::clamp(most, 1.0, double(threads)));
  if (parts == 1) return body(std::size_t{0}, blocks);
  parallel_for(parts,
               [&](std::size_t k, int) { body(k * blocks / parts, (k + 1) * blocks / parts); });
}

/// The arithmetic of partial likelihoods for one alignment and one substitution process. Several
/// threads may call its functions. join(), meet() and best_length() divide their blocks among at
/// most `threads` threads; the other functions use the calling thread alone.
///
/// P(t) = right exp(eigenvalues r t) left has the transition probabilities over a branch of length
/// t at rate r. An end of the branch has the partial likelihoods F(s) by state, and
/// f(k) = sum_s left(k,s) F(s) by eigenvalue. Because the process is reversible, the likelihood is
/// sum_k exp(eigenvalue_k r t) f_above(k) f_below(k). So fitting the length of a branch takes no
/// further product with a matrix. If one of two messages at a node is empty, joining them only
/// multiplies each value f(k) of the other one's end by exp(eigenvalue_k r t).
class PartialArithmetic {
 public:
  /// Prepares the arithmetic for the patterns, the process and the range of lengths of `task`; its
  /// tree and lengths are not used. `kernels` and `task` must outlive this object.
  PartialArithmetic(const QuartetKernels& kernels, const LocalFitTask& task, int threads);

  /// All blocks.
  Blocks blocks() const { return all_blocks_; }
  /// Whether no tip on the side of `end` has data in a block.
  bool is_empty(const BranchEnd& end, std::size_t block) const;

  /// The message of an end over a branch: the partial likelihoods, by state, that the end gives at
  /// the other side of the branch.
  class Message;
  /// Sets `message` to that of `end` over a branch of this length. Each block is computed when it
  /// is first used; the end must stay as it is until then.
  void set(const BranchEnd& end, double length, Message& message) const;
  /// Joins two messages at one node to the end of the third branch of the node, by eigenvalue.
  void join(Message& a, Message& b, Partials& out) const;

  /// The products of both ends of a branch, by eigenvalue, for any length of the branch. The ends
  /// must stay as they are while the meeting is used.
  class Meeting;
  /// Sets `meeting` to that of the ends a and b, in all blocks or in some.
  void meet(const BranchEnd& a, const BranchEnd& b, Meeting& meeting) const;
  void meet(const BranchEnd& a, const BranchEnd& b, Blocks blocks, Meeting& meeting) const;
  /// The branch length of largest likelihood in the task's range, by Newton's method from `start`.
  double best_length(const Meeting& meeting, double start) const;
  /// The logarithm of the likelihood of the blocks that met, for this branch length. If `sites` is
  /// not null, it receives the logarithm for each pattern of these blocks, and minus infinity for
  /// the others. If a pattern is impossible, returns minus infinity, and `sites` is not complete.
  double total(const Meeting& meeting, double length, std::vector<double>* sites = nullptr) const;

  /// Computes the message of an end over a branch of this length, by state, in some blocks. Here
  /// and below, `out` gets room for all blocks, and only `blocks` are set.
  void cross(const BranchEnd& end, double length, Blocks blocks, Partials& out) const;
  /// P(length) of each category, one category after another, column by column.
  std::vector<double> transitions(double length) const;
  /// Computes the product of two messages at one node, scaled, by state.
  void multiply(const Partials& a, const Partials& b, Blocks blocks, Partials& out) const;
  /// Computes the message, by state, that `product`, a result of multiply(), gives at the other
  /// side of a branch. `matrices`: transitions() of the branch.
  void cross(const Partials& product, const std::vector<double>& matrices, Blocks blocks,
             Partials& out) const;
  /// Converts `product`, a result of multiply(), to an end of a branch, by eigenvalue.
  void finish(const Partials& product, Blocks blocks, Partials& out) const;
  /// The logarithm of the likelihood of some blocks, from the three messages at one node.
  double total(const Partials& a, const Partials& b, const Partials& c, Blocks blocks) const;

  class Message {
    friend class PartialArithmetic;
    BranchEnd end_;
    std::vector<double> powers_;        ///< of each row, as branch_factors
    std::vector<double> matrices_;      ///< right exp(eigenvalues r t) of each category
    AlignedVector<double> table_;       ///< of a tip by its code
    AlignedRoom<double> values_;        ///< [block][row][lane]
    std::vector<std::uint8_t> is_set_;  ///< [block]: whether there are values
  };
  class Meeting {
    friend class PartialArithmetic;
    std::array<BranchEnd, 2> ends_;
    std::vector<std::uint32_t> blocks_;  ///< the blocks that met
    std::vector<std::uint32_t> uphill_;  ///< blocks in which the length matters: no end is empty
    Partials products_;                  ///< of both ends; values of the latter blocks alone
    AlignedVector<double> invariant_;    ///< at the exponents of the lanes
  };

 private:
  std::size_t block_size() const { return std::size_t{rows_} * ACCORD_PATTERN_BLOCK; }
  void find_empty_tips();
  void make_room(Partials& partials) const;
  /// As branch_factors.
  std::vector<double> powers(double length) const;
  /// The matrices that make messages of ends, in columns, for each category.
  std::vector<double> matrices(const std::vector<double>& powers) const;
  /// For each code of a tip, its message over a branch.
  AlignedVector<double> table_of(const std::vector<double>& matrices) const;
  /// For each row, the factors of the likelihood, of its slope and of its curvature.
  std::vector<double> factors(double length) const;
  std::array<double, 2> slopes(const Meeting& meeting, double length) const;

  void look_up_block(const AlignedVector<double>& table, std::uint32_t tip, std::size_t block,
                     double* out) const;
  /// An end by eigenvalue; `room` is for a block.
  const double* end_block(const BranchEnd& end, std::size_t block, double* room) const;
  const double* message_block(Message& message, std::size_t block) const;
  /// Rows of each category times its matrix; `step` is between the matrices, or 0 for the same.
  void multiply_block(const double* matrices, std::size_t step, const double* in,
                      double* out) const;
  void join_block(Message& a, Message& b, std::size_t block, double* room, Partials& out) const;
  void transform(const Partials& in, const double* matrices, std::size_t step, Blocks blocks,
                 Partials& out) const;
  /// Adds the logarithms of a block to `sum`, and sets those of its patterns if `sites` is not
  /// null. False if a pattern is impossible.
  bool add_logs(const double* values, const std::int32_t* exponents, std::size_t block,
                std::vector<double>* sites, double& sum) const;

  const QuartetKernels& kernels_;
  const LocalFitTask& task_;
  int threads_;
  std::uint32_t states_, categories_, rows_, width_;
  std::size_t blocks_;
  std::vector<std::uint32_t> all_blocks_;
  std::vector<double> left_columns_, right_columns_;
  AlignedVector<double> tip_rows_;   ///< of each eigenvalue and code, for each category alike
  AlignedVector<double> ones_;       ///< a block without data, by state
  AlignedVector<double> empty_end_;  ///< the same by eigenvalue
  std::vector<double> root_;         ///< of each row the frequency, times the category's weight
  std::vector<std::uint8_t> is_empty_tip_;  ///< [tip][block]
  std::vector<double> invariant_;           ///< of each pattern what invariant sites add
  std::vector<double> weights_;             ///< of whole blocks
};

}  // namespace accord::host
