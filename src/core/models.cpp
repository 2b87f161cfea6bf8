// SPDX-License-Identifier: Apache-2.0
#include "accord/core/models.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "model_tables.hpp"

namespace accord {
namespace {

constexpr std::size_t kMaxResidues = 20;

/// A value for every pair of canonical residues.
using ResiduePairs = std::array<std::array<double, kMaxResidues>, kMaxResidues>;

/// exp(x) from correctly rounded operations only, so that all platforms get the same bits (the
/// exp of C libraries may differ in the last place). Error about 1e-16; |x| < 700.
double portable_exp(double x) {
  constexpr double kLog2High = 0x1.62e42feep-1;  // short, so that doublings * kLog2High is exact
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const double doublings = std::floor(x * 0x1.71547652b82fep0 + 0.5);
  const double rest = (x - doublings * kLog2High) - doublings * kLog2Low;  // |rest| <= 0.35
  double tail = 0;  // sum of rest^n / n! for n >= 1; below 1e-18 from n = 17 on
  for (int n = 17; n >= 1; --n) tail = (rest + rest * tail) / n;
  return std::ldexp(1.0 + tail, static_cast<int>(doublings));
}

/// Entry (a, b) of a symmetric table stored as a lower triangle.
template <class Integer>
double triangle_at(std::span<const Integer> table, std::size_t a, std::size_t b) {
  return a < b ? table[b * (b + 1) / 2 + a] : table[a * (a + 1) / 2 + b];
}

/// Background probabilities of the canonical residues.
std::vector<double> background(ResidueType type) {
  if (type != ResidueType::protein) return {0.25, 0.25, 0.25, 0.25};
  std::vector<double> q;
  for (std::int32_t units : tables::kProteinEmission) q.push_back(units / 1e8);
  return q;
}

/// Joint emission of the match state. Nucleotides: 0.12 for equal and 0.044 for different bases,
/// divided by their total (Edgar 2022, Nat Commun 13:6968).
double pair_emission(ResidueType type, std::size_t a, std::size_t b) {
  if (type != ResidueType::protein) return (a == b ? 0.12 : 0.044) / 1.008;
  return triangle_at<std::int32_t>(tables::kProteinPairEmission, a, b) / 1e8;
}

double substitution_score(PartitionMatrix matrix, std::size_t a, std::size_t b) {
  switch (matrix) {
    case PartitionMatrix::gonnet160:
      return triangle_at<std::int16_t>(tables::kGonnet160, a, b) / 10.0;
    case PartitionMatrix::vtml200:
      return triangle_at<std::int16_t>(tables::kVtml200, a, b);
    case PartitionMatrix::hoxd70:
      return triangle_at<std::int16_t>(tables::kHoxd70, a, b);
  }
  throw Error(ErrorKind::internal, "unknown substitution matrix");
}

/// Average of values over the pairs of two sets of residues, weighted by background.
double average(const ResiduePairs& values, const std::vector<double>& q,
               const std::vector<std::uint8_t>& as, const std::vector<std::uint8_t>& bs) {
  double sum = 0, total = 0;
  for (std::uint8_t a : as) {
    for (std::uint8_t b : bs) {
      sum += q[a] * q[b] * values[a][b];
      total += q[a] * q[b];
    }
  }
  return sum / total;
}

/// Fills the match weights of a recursion: factor * value for two residues; for a code that may
/// stand for several residues, factor * the average of their values, weighted by background. The
/// average over all residues counts as 1 in every model, so that an unknown residue is neutral.
/// Entries of codes that are not in use stay 0.
void fill_weights(accord_recursion& recursion, ResidueType type, const ResiduePairs& values,
                  double factor) {
  const std::vector<double> q = background(type);
  const auto symbols = static_cast<std::uint8_t>(symbol_count(type));
  for (std::uint8_t a = 0; a < symbols; ++a) {
    for (std::uint8_t b = 0; b <= a; ++b) {
      const std::vector<std::uint8_t> as = residues_of_code(type, a);
      const std::vector<std::uint8_t> bs = residues_of_code(type, b);
      double value = 1;
      if (as.size() == 1 && bs.size() == 1) {
        value = values[as[0]][bs[0]];
      } else if (as.size() < q.size() && bs.size() < q.size()) {
        value = average(values, q, as, bs);
      }
      const auto weight = static_cast<float>(value * factor);
      recursion.weight[a * ACCORD_SYMBOLS + b] = weight;
      recursion.weight[b * ACCORD_SYMBOLS + a] = weight;
    }
  }
}

/// Stores a double as a sum of two floats (48 bits).
void split(double value, float (&parts)[2]) {
  parts[0] = static_cast<float>(value);
  parts[1] = static_cast<float>(value - static_cast<double>(parts[0]));
}

/// The pair-HMM divided by the emissions of all residues in insert states: inserts emit 1, a
/// match emits odds, and the transitions move to where they cost least (see accord_recursion).
accord_recursion hmm_recursion(const PairHmm& hmm, ResidueType type) {
  const double match_match = 1 - 2 * (hmm.match_short + hmm.match_long);
  const double start[2] = {hmm.start_short, hmm.start_long};
  const double end[2] = {hmm.end_short, hmm.end_long};
  const double open[2] = {hmm.match_short, hmm.match_long};
  const double stay[2] = {hmm.stay_short, hmm.stay_long};

  const std::vector<double> q = background(type);
  ResiduePairs odds{};
  for (std::size_t a = 0; a < q.size(); ++a) {
    for (std::size_t b = 0; b < q.size(); ++b) {
      odds[a][b] = pair_emission(type, a, b) / (q[a] * q[b]);
    }
  }
  accord_recursion recursion{};
  fill_weights(recursion, type, odds, match_match);
  for (int k = 0; k < 2; ++k) {
    const double close = 1 - stay[k];
    recursion.gap_scale[k] = static_cast<float>(close * open[k] / match_match);
    recursion.gap_extend[k] = static_cast<float>(stay[k]);
    recursion.forward_gap[k] = static_cast<float>(start[k] / open[k]);
    recursion.backward_gap[k] = static_cast<float>(end[k] * match_match / close);
    split(end[k] * open[k], recursion.end_gap[k]);
  }
  recursion.forward_start = static_cast<float>(hmm.start_match / match_match);
  recursion.backward_start = static_cast<float>(hmm.end_match);
  split(hmm.end_match, recursion.end_match);
  return recursion;
}

accord_recursion partition_recursion(const PartitionFunction& partition, ResidueType type) {
  if ((partition.matrix == PartitionMatrix::hoxd70) == (type == ResidueType::protein)) {
    throw Error(
        ErrorKind::usage,
        "the substitution matrix does not fit " + std::string(to_string(type)) + " sequences",
        "HOXD70 is for nucleotides, Gonnet160 and VTML200 are for proteins");
  }
  const std::size_t residues = residue_count(type);
  ResiduePairs weights{};
  for (std::size_t a = 0; a < residues; ++a) {
    for (std::size_t b = 0; b < residues; ++b) {
      weights[a][b] =
          portable_exp(substitution_score(partition.matrix, a, b) / partition.temperature);
    }
  }
  accord_recursion recursion{};
  fill_weights(recursion, type, weights, 1.0);
  recursion.gap_scale[0] =
      static_cast<float>(portable_exp(partition.gap_open / partition.temperature));
  recursion.gap_extend[0] =
      static_cast<float>(portable_exp(partition.gap_extend / partition.temperature));
  recursion.forward_start = 1;
  recursion.backward_start = 1;
  return recursion;
}

}  // namespace

PairHmm probcons_pair_hmm() {
  return {.start_match = 0.6814756989,
          .start_short = 8.615339902e-05,
          .start_long = 0.1591759622,
          .match_short = 0.0119511066,
          .match_long = 0.008008334786,
          .stay_short = 0.3965826333,
          .stay_long = 0.8988758326,
          .end_match = 0.6814756989,
          .end_short = 8.615339902e-05,
          .end_long = 0.1591759622};
}

PairHmm with_symmetric_ends(PairHmm hmm) {
  // A gap of class k at the start weighs start_k (1 - stay_k), one at the end match_k end_k, each
  // beside start_match and end_match for none.
  hmm.end_match = hmm.start_match;
  hmm.end_short = hmm.start_short * (1 - hmm.stay_short) / hmm.match_short;
  hmm.end_long = hmm.start_long * (1 - hmm.stay_long) / hmm.match_long;
  return hmm;
}

Parameters default_parameters(ResidueType type, const std::string& mode) {
  Parameters parameters;
  parameters.hmm = with_symmetric_ends(probcons_pair_hmm());
  if (type == ResidueType::protein) {
    // Roshan & Livesay 2006 (Probalign), also of MSAProbs.
    parameters.partition = {PartitionMatrix::gonnet160, -22.0, -1.0, 5.0};
  } else {
    // Gudys & Deorowicz 2017 (QuickProbs 2).
    parameters.partition = {PartitionMatrix::hoxd70, -414.0, -27.0, 100.0};
  }
  // One round through 32 sequences for large families: on those of OXBench-X with more than 80 SP
  // .9491 and TC .8840, where two rounds through all, at 9 times the cost, gave .9471 and .8776.
  // Gudys & Deorowicz 2017 (QuickProbs 2): direct evidence counts three times, so that it is not
  // diluted in large families; no cutoff after the last round; refinement at columns with gaps,
  // as long as nothing gets longer. Each of these, and the symmetric ends, did better on families
  // of PREFAB and OXBench-X than self weight 1, a cutoff, random splits, and the original ends.
  parameters.consistency.self_weight = 3.0f;
  parameters.refine = {RefineStrategy::gap_column, AcceptRule::not_longer, 30};
  if (mode == "accurate") {
    parameters.sparsity = {.cutoff = 0.001f, .cells_per_residue = 12.0f};
    parameters.consistency.cutoff = 0.001f;
  } else if (mode != "default") {
    throw Error(ErrorKind::usage, "unknown mode '" + mode + "'",
                "the modes are 'default' and 'accurate'");
  }
  return parameters;
}

PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type) {
  PosteriorModel model{};
  model.tables.hmm = hmm_recursion(parameters.hmm, type);
  model.tables.partition = partition_recursion(parameters.partition, type);
  model.tables.hmm_share = 0.5f;
  model.tables.partition_share = 0.5f;
  model.tables.square_share = 1.0f;
  model.tables.cutoff = parameters.sparsity.cutoff;
  model.sparsity = parameters.sparsity;
  return model;
}

}  // namespace accord
