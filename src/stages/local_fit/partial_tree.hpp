// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/host/aligned_vector.hpp"
#include "stages/local_fit/call.hpp"
#include "stages/local_fit/quartet_kernels.hpp"

namespace accord::host {

/// Partial likelihoods of all patterns, in blocks of ACCORD_PATTERN_BLOCK lanes: rows of each state
/// (or eigenvalue) of each category, times two to the exponent of each lane.
struct Partials {
  AlignedVector<double> values;           ///< [block][row][lane]
  AlignedVector<std::int32_t> exponents;  ///< [block][lane]
};

/// One side of a branch: a tip, or partial likelihoods by eigenvalue.
struct BranchEnd {
  static constexpr std::uint32_t kNoTip = UINT32_MAX;
  const Partials* partials = nullptr;
  std::uint32_t tip = kNoTip;

  bool is_tip() const { return tip != kNoTip; }
};

/// The arithmetic of partial likelihoods for one alignment and one process. Several threads may
/// call its functions; the blocks of one call are divided among `threads`.
///
/// With P(t) = right exp(eigenvalues r t) left, F on both ends of a branch, and
/// f(k) = sum_s left(k,s) F(s) by eigenvalue, the likelihood is
/// sum_k exp(eigenvalue_k r t) f_above(k) f_below(k), because the process is reversible: the length
/// of a branch is fitted with no other product of a matrix.
class PartialArithmetic {
 public:
  PartialArithmetic(const QuartetKernels& kernels, const LocalFitTask& task, int threads);

  std::size_t blocks() const { return blocks_; }
  std::uint32_t rows() const { return rows_; }

  /// What an end says beyond a branch of that length, by state.
  void cross(const BranchEnd& end, double length, Partials& out) const;
  /// The end that two messages at one node make, by eigenvalue.
  void join(const Partials& a, const Partials& b, Partials& out) const;
  /// The same of two ends and the branches between them and the node.
  void join(const BranchEnd& a, double a_length, const BranchEnd& b, double b_length,
            Partials& out) const;

  /// What meets on a branch.
  class Meeting;
  /// Sets `meeting` to that of two ends.
  void meet(const BranchEnd& a, const BranchEnd& b, Meeting& meeting) const;
  /// The length that has the largest likelihood, from `start` on.
  double best_length(const Meeting& meeting, double start) const;
  /// The logarithm of the likelihood; `sites`, if there are any, become those of all patterns.
  double total(const Meeting& meeting, double length, std::vector<double>* sites = nullptr) const;

  class Meeting {
    friend class PartialArithmetic;
    Partials products_;                ///< of both ends
    AlignedVector<double> invariant_;  ///< at the exponents of the lanes
  };

 private:
  /// The matrices of a branch, in columns, for each category.
  std::vector<double> matrices(double length) const;
  /// Of each row the factors of the likelihood, of its slope and of its curvature.
  std::vector<double> factors(double length) const;
  std::array<double, 2> slopes(const Meeting& meeting, double length) const;
  /// body(first, last) for parts of the blocks, side by side if that is worth it; `work` is in
  /// multiplications of a pattern.
  template <class Body>
  void for_blocks(double work, const Body& body) const;
  /// Sets a block of `out` to the end that two messages make; `product` is room for a block.
  void combine_block(const double* a, const std::int32_t* a_exponents, const double* b,
                     const std::int32_t* b_exponents, double* product, Partials& out,
                     std::size_t block) const;
  void cross_block(const BranchEnd& end, const std::vector<double>& matrices,
                   const AlignedVector<double>& table, std::size_t block, double* out) const;
  /// What a branch makes of each code of a tip; empty for other ends.
  AlignedVector<double> table_of(const BranchEnd& end, const std::vector<double>& matrices) const;
  const std::uint8_t* codes(std::uint32_t tip, std::size_t block) const;
  void make_room(Partials& partials) const;

  const QuartetKernels& kernels_;
  const LocalFitTask& task_;
  int threads_;
  std::uint32_t states_, categories_, rows_, width_;
  std::size_t blocks_;
  std::vector<double> left_columns_, right_columns_;
  AlignedVector<double> tip_rows_;  ///< of each eigenvalue and code, for each category alike
  std::vector<double> invariant_;   ///< of each pattern what invariant sites add
  std::vector<double> weights_;     ///< of whole blocks
};

/// A tree with the partial likelihoods on both sides of each of its branches. A branch is named by
/// the node below it; the two at the root are one, that of the root's left child.
class PartialTree {
 public:
  PartialTree(const PartialArithmetic& arithmetic, const LocalFitTask& task);

  /// Fits each branch once, in turn.
  void sweep();
  /// The logarithm of the likelihood; `sites`, if there are any, become those of all patterns.
  double total(std::vector<double>* sites = nullptr) const;

  std::uint32_t left_of_root() const { return task_.tree.left.back(); }
  std::uint32_t right_of_root() const { return task_.tree.right.back(); }
  double length(std::uint32_t branch) const { return lengths_[branch]; }
  /// Of the branch above each node of the tree.
  std::vector<double> lengths() const;
  /// The two sides of a branch.
  BranchEnd below(std::uint32_t branch) const { return subtree(branch); }
  BranchEnd above(std::uint32_t branch) const;

  /// The two other branches at the lower or the upper end of a branch, each with what lies beyond.
  struct Neighbor {
    std::uint32_t branch;
    BranchEnd end;
  };
  std::array<Neighbor, 2> neighbors_below(std::uint32_t branch) const;
  std::array<Neighbor, 2> neighbors_above(std::uint32_t branch) const;

  /// In the unrooted tree, which has every node but the root:
  std::array<std::uint32_t, 3> around(std::uint32_t node) const;  ///< an inner node
  double length_between(std::uint32_t a, std::uint32_t b) const;
  /// What lies beyond the branch from one node to the other, `node` and all behind it.
  BranchEnd beyond(std::uint32_t from, std::uint32_t node) const;

 private:
  BranchEnd subtree(std::uint32_t node) const;
  std::uint32_t child(std::uint32_t node, int side) const;
  bool is_inner(std::uint32_t node) const { return node >= task_.tree.leaves; }
  void fill_below();
  void fill_above();
  void fit_branch(std::uint32_t branch, const BranchEnd& a, const BranchEnd& b);
  /// Fits the branches below a node.
  void sweep_below(std::uint32_t node);
  void set_above(std::uint32_t branch, Partials& out);
  void set_below(std::uint32_t node);

  const PartialArithmetic& arithmetic_;
  const LocalFitTask& task_;
  std::vector<double> lengths_;  ///< by branch
  std::vector<std::uint32_t> parent_;
  std::vector<Partials> below_, above_;  ///< of inner nodes, from the first join on
  Partials above_tip_;
  PartialArithmetic::Meeting meeting_;
};

}  // namespace accord::host
