// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/models.hpp"
#include "support/sequences.hpp"

// Obvious, slow, double-precision logarithms: what the posterior stage has to compute, written
// from the definitions and sharing no code with the kernels.
namespace accord::oracle {

using testing::Codes;

/// Matrix indexed as in the papers: residues i = 1..m of x and j = 1..n of y; row and column 0
/// are the border.
class Dense {
 public:
  Dense(std::size_t m, std::size_t n, double value = 0)
      : n_(n), values_((m + 1) * (n + 1), value) {}
  std::size_t m() const { return values_.size() / (n_ + 1) - 1; }
  std::size_t n() const { return n_; }
  double& at(std::size_t i, std::size_t j) { return values_[i * (n_ + 1) + j]; }
  double at(std::size_t i, std::size_t j) const { return values_[i * (n_ + 1) + j]; }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

/// A logarithm for every pair of codes.
using LogTable = std::array<std::array<double, ACCORD_SYMBOLS>, ACCORD_SYMBOLS>;

/// Emissions of the pair-HMM: log p(a, b) and log q(a).
///
/// A code that stands for several residues has any emission that makes p / (q q) the background
/// average of the odds of those residues; here q is the sum of theirs. A code that stands for all
/// residues has q = 1 and the odds 1 against every code.
struct LogEmissions {
  LogTable pair;
  std::array<double, ACCORD_SYMBOLS> single;
};
LogEmissions log_emissions(const EmissionParams& params, ResidueType type);

/// Match weights of the partition function, log w(a, b) = s(a, b) / T; for a code that stands for
/// several residues w is the background average, for one that stands for all it is 1.
LogTable log_match_weights(const PartitionFunction& partition, ResidueType type);

/// Logarithms of what a match of two codes counts in a model. A code is a letter in its lower 5
/// bits and the class of a context above them.
struct LogMatches {
  LogTable letters{};
  std::array<std::array<double, ACCORD_CONTEXTS>, ACCORD_CONTEXTS> contexts{};

  double operator()(std::uint8_t a, std::uint8_t b) const {
    return letters[a & 31][b & 31] + contexts[a >> 5][b >> 5];
  }
};

/// log p(a, b) of the pair-HMM, times the odds of the contexts to the power of context_share.
///
/// The odds of contexts are not more than 60 / w, where w is the largest odds of two letters times
/// t_MM, and may be 1 in any case.
LogMatches log_matches(const PairHmm& hmm, ResidueType type);

/// The same for the weights of the partition function; here w is the largest of them.
LogMatches log_matches(const PartitionFunction& partition, ResidueType type);

/// Logarithms of the factors of opening a gap behind 0, 1, ... all residues of a sequence: those of
/// the letters and contexts on both sides, times context_share, within -log 4 and log 4; 0 at both
/// ends.
std::vector<double> log_openings(const Codes& codes, const GapOpeningParams& params,
                                 ResidueType type);

/// P(x_i aligned to y_j) in the pair-HMM, from forward and backward values.
/// Units   probability. Cost  m n logarithms of sums of all states; 2 m n doubles.
/// Reference  Do et al. 2005; no change between insert states.
Dense hmm_posteriors(const Codes& x, const Codes& y, const PairHmm& hmm, ResidueType type,
                     const GapOpeningParams& openings = {});

/// P(x_i aligned to y_j) in the canonical ensemble of all alignments with affine gaps, those at
/// the ends free; alignments without any match are not counted.
/// Reference  Miyazawa 1995; Roshan & Livesay 2006.
Dense partition_posteriors(const Codes& x, const Codes& y, const PartitionFunction& partition,
                           ResidueType type, const GapOpeningParams& openings = {});

/// The posterior matrices of the pair-HMM and of the partition function as one (MixtureParams),
/// before calibration.
Dense mixture(const Dense& hmm, const Dense& partition, const MixtureParams& params);

/// What the posterior stage has to compute: the mixture of both models.
Dense posteriors(const Codes& x, const Codes& y, const Parameters& parameters, ResidueType type);

/// Largest sum of posteriors over an alignment.
/// Reference  V(i,j) = max(V(i-1,j-1) + P(i,j), V(i,j-1), V(i-1,j)), Do et al. 2005.
double expected_accuracy(const Dense& posterior);

/// 1 - expected accuracy / length of the shorter sequence.
double distance(const Dense& posterior);

}  // namespace accord::oracle
