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
/// Invariant  Q = right diag(eigenvalues) left, in rows; the frequencies sum to 1; with the share
///         of invariant sites, the weights of the categories sum to 1.
struct SubstitutionProcess {
  std::uint32_t states = 0;
  std::vector<double> frequencies, eigenvalues;  ///< S values each
  std::vector<double> right, left;               ///< S rows of S values each
  std::vector<double> rates, weights;            ///< of the categories
  double invariant = 0;                          ///< share of sites that never change
};

/// The columns of an alignment without repetition, each with its number.
struct SitePatterns {
  std::uint32_t states = 0;  ///< at most 64
  std::uint32_t tips = 0;
  std::vector<std::uint64_t> symbols;  ///< of each code the states it stands for, one bit each
  std::vector<std::uint8_t> codes;     ///< stride() of them for each tip, those of no pattern 0
  std::vector<double> weights;         ///< columns of each pattern
  /// The number of patterns at the end of sites that do not vary, one for each state. Such sites
  /// were left out of the alignment; their weights are 0, or their expected columns.
  std::uint32_t unobserved = 0;

  std::size_t count() const { return weights.size(); }
  std::size_t observed() const { return count() - unobserved; }
  /// Whole blocks of patterns.
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
  bool derivatives = false;
  Precision precision = Precision::float64;
};

/// Units   natural logarithms.
struct Likelihood {
  double total = 0;
  std::vector<double> sites;  ///< of each pattern; minus infinity if it cannot occur
  std::vector<double> slope;  ///< if wanted, the derivative of the total by each branch length
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

  /// Compares made-up trees with those of the reference: full and partly filled blocks of patterns,
  /// 4, 20 and 61 states, values that are scaled, ambiguous codes; in single precision only if the
  /// backend refuses doubles.
  /// Returns  nothing if all bits agree (single: all sites, within their bounds), else where not.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Checks that the parts of a task fit each other.
/// Throws  Error{internal}
void check(const LikelihoodTask& task);

/// Multiplications of a task.
double work_of(const LikelihoodTask& task);

/// A bound of the rounding error of the logarithm of a site: the terms of all sums are positive, so
/// that every operation on the way to a value of the root adds at most one relative rounding. The
/// error of the total is at most the sum over all columns.
/// Invariant  holds where no value that matters is below the least normal number, times the scale
///         of its node.
double rounding_bound(const LikelihoodTask& task);

/// The likelihoods of tasks, computed by one backend.
std::vector<Likelihood> likelihoods(Backend& backend, std::span<const LikelihoodTask> tasks);

/// The result of a backend for one pattern: the likelihood of each category, f 2^exponent.
struct CategoryLikelihoods {
  std::span<const double> value;
  std::span<const std::int32_t> exponent;
};

/// A value 2^exponent.
struct ScaledValue {
  double value = 0;
  std::int32_t exponent = 0;
};

/// The likelihood of a pattern. `share`, one per category, becomes the slope of its logarithm for a
/// slope of 1 of the category's value (at its exponent), times the weight of the pattern, if the
/// task wants derivatives.
ScaledValue combine_categories(const LikelihoodTask& task, std::size_t pattern,
                               const CategoryLikelihoods& found, std::span<double> share);

/// Replaces values by the logarithms of value 2^exponent; minus infinity for 0.
void take_logs(std::span<double> values, std::span<const std::int32_t> exponents);

/// The sum of the logarithms of all patterns, each times its weight.
double weighted_sum(std::span<const double> weights, std::span<const double> sites);

/// The parts of P_v(t) = right diag(exp(eigenvalue rate t)) left that depend on t: for each
/// category and eigenvalue exp(x), then for each x' exp(x), with x = eigenvalue rate t and x' its
/// derivative.
/// Shape   2 categories rows of S values.
void branch_factors(const SubstitutionProcess& process, double length, std::span<double> factors);

}  // namespace accord
