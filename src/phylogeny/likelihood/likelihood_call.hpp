// SPDX-License-Identifier: Apache-2.0
// The stage of the phylogenetic likelihood: what backends get.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/stage_request.hpp"

namespace accord {

/// A time-reversible process of substitution with S states and a distribution of rates.
///
/// Units   one substitution a site is expected in a time of 1.
/// Invariant  the rates of substitution are Q = right diag(eigenvalues) left; the frequencies sum
///         to 1; the weights of the categories and the share of invariant sites sum to 1.
struct SubstitutionProcess {
  std::uint32_t states = 0;
  std::vector<double> frequencies, eigenvalues;  ///< S values each
  std::vector<double> right, left;               ///< S rows of S values each
  std::vector<double> rates, weights;            ///< of the categories
  double invariant = 0;                          ///< share of sites that never change
};

/// The patterns of an alignment: its different columns, each with the number of columns that are
/// equal to it. The tips are the rows.
struct SitePatterns {
  std::uint32_t states = 0;  ///< at most 64
  std::uint32_t tips = 0;
  std::vector<std::uint64_t> symbols;  ///< [code]: the states that it stands for, one bit each
  std::vector<std::uint8_t> codes;     ///< stride() for each tip: one for each pattern, then 0
  std::vector<double> weights;         ///< number of columns of each pattern
  /// The number of unobserved patterns, which are the last ones: for each state, the pattern of
  /// sites that do not vary. Such sites were left out of the alignment. The weights of these
  /// patterns are 0, or the expected numbers of columns.
  std::uint32_t unobserved = 0;

  std::size_t count() const { return weights.size(); }
  std::size_t observed() const { return count() - unobserved; }
  /// The number of patterns, rounded up to whole blocks of ACCORD_PATTERN_BLOCK.
  std::size_t stride() const;
  std::uint8_t code(std::size_t tip, std::size_t pattern) const {
    return codes[tip * stride() + pattern];
  }
  /// The states that all tips may have, one bit each: those in which a site may be invariant.
  std::uint64_t common_states(std::size_t pattern) const;
};

/// The precision of partial likelihoods. Transition matrices and logarithms are always computed in
/// doubles.
enum class Precision { float32, float64 };

constexpr std::size_t bytes_of(Precision precision) {
  return precision == Precision::float32 ? sizeof(float) : sizeof(double);
}

/// A tree and the alignment and process for which its likelihood is computed.
struct LikelihoodTask {
  const SitePatterns& patterns;
  const SubstitutionProcess& process;
  const GuideTree& tree;            ///< the topology alone
  std::span<const double> lengths;  ///< branch above each node; that of the root is not used
  bool derivatives = false;         ///< also compute Likelihood::slope
  Precision precision = Precision::float64;
};

/// The likelihood of a tree.
/// Units   natural logarithms.
struct Likelihood {
  double total = 0;
  std::vector<double> sites;  ///< of each pattern; minus infinity if it cannot occur
  std::vector<double> slope;  ///< if wanted: [node], derivative of the total by its branch length
};

/// Likelihoods of trees by peeling. Tasks are computed side by side.
/// Throws  Error{out_of_memory}.
/// Reference  Felsenstein 1981, J Mol Evol 17:368; rates: Yang 1994, J Mol Evol 39:306.
struct LikelihoodCall {
  static const Stage stage;
  /// Units   multiplications.
  static constexpr SharePolicy policy{1e8, 0.05, 0.5, false};

  std::span<const LikelihoodTask> tasks;
  std::span<Likelihood> results;  ///< out: one per task

  /// Compares likelihoods of made-up trees by `tested` with those by `reference`: with full and
  /// partly filled blocks of patterns, 4, 20 and 61 states, scaled values and ambiguous codes. Uses
  /// single precision only if `tested` refuses doubles.
  /// Returns  an empty text if all bits agree (in single precision: if all sites agree within twice
  ///         rounding_bound()), else the place of the first difference.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Checks that the parts of a task fit each other.
/// Throws  Error{internal}
void check(const LikelihoodTask& task);

/// The number of multiplications of a task.
double work_of(const LikelihoodTask& task);

/// An upper bound of the rounding error of the logarithm of the likelihood of a site. The terms of
/// all sums are positive, so that every operation on the way to a value of the root adds at most
/// one relative rounding. The error of the total is at most this bound times the number of columns.
/// Invariant  holds where no value that matters is below the least normal number, times the scale
///         of its node.
double rounding_bound(const LikelihoodTask& task);

/// The likelihoods of tasks, in their order, computed by one backend.
std::vector<Likelihood> likelihoods(Backend& backend, std::span<const LikelihoodTask> tasks);

/// The result of a backend for one pattern: the likelihood of each category is value 2^exponent.
struct CategoryLikelihoods {
  std::span<const double> value;
  std::span<const std::int32_t> exponent;
};

/// A value 2^exponent.
struct ScaledValue {
  double value = 0;
  std::int32_t exponent = 0;
};

/// Returns the likelihood of a pattern: the weighted sum over the categories, plus the part of
/// invariant sites. `share` has an element for each category. If the task wants derivatives, it
/// becomes the derivative of the logarithm of the likelihood by the element of `found.value`, times
/// the weight of the pattern; else it is only working memory.
ScaledValue combine_categories(const LikelihoodTask& task, std::size_t pattern,
                               const CategoryLikelihoods& found, std::span<double> share);

/// Replaces each value by the natural logarithm of value 2^exponent; minus infinity for 0.
void take_logs(std::span<double> values, std::span<const std::int32_t> exponents);

/// The sum of the logarithms of all patterns, each times its weight.
double weighted_sum(std::span<const double> weights, std::span<const double> sites);

/// Computes the factors of the transition matrix P(t) = right diag(exp(x)) left that depend on the
/// length t of a branch, with x = eigenvalue rate t. `factors` gets exp(x) for each category and
/// eigenvalue, and then the derivatives by t, eigenvalue rate exp(x), in the same order.
/// Shape   2 categories rows of S values.
void branch_factors(const SubstitutionProcess& process, double length, std::span<double> factors);

/// A request for the likelihoods of some tasks; each item is one task.
class LikelihoodRequest : public StageRequest {
 public:
  /// The tasks, and their trees, patterns and processes, must outlive the request.
  explicit LikelihoodRequest(std::span<const LikelihoodTask> tasks)
      : tasks_(tasks), results_(tasks.size()) {}

  const Stage& stage() const override { return LikelihoodCall::stage; }
  const SharePolicy& policy() const override { return LikelihoodCall::policy; }
  std::size_t items() override { return tasks_.size(); }
  double work(std::size_t item) const override { return work_of(tasks_[item]); }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const LikelihoodRequest*>(&other) != nullptr;
  }
  /// Throws  Error{device_failed} if the backend leaves a task out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

  /// The likelihoods, in the order of the tasks. Call it once, when all items are computed.
  std::vector<Likelihood> result() { return std::move(results_); }

 private:
  std::span<const LikelihoodTask> tasks_;
  std::vector<Likelihood> results_;
};

}  // namespace accord
