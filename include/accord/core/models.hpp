// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "accord/core/alphabet.hpp"
#include "shared/layout.h"

namespace accord {

/// Substitution scores of the partition function.
enum class PartitionMatrix { gonnet160, vtml200, hoxd70 };

/// Five-state pair-HMM: match, and a short (S) and a long (L) insert pair.
/// Units   probabilities; the end weights are factors.
/// Source  Do et al. 2005, Genome Res 15:330; values in models.cpp.
struct PairHmm {
  double start_match, start_short, start_long;
  double match_short, match_long;  ///< match to one insert state
  double stay_short, stay_long;
  double end_match, end_short, end_long;  ///< weights of ending in a state
};

/// The protein pair-HMM of ProbCons 1.12, which MSAProbs and QuickProbs share. Its end weights
/// are the start probabilities, so that a gap at the end costs 13 times as much as one at the
/// start.
PairHmm probcons_pair_hmm();

/// The same with end weights that make an alignment and its reverse equally probable: a gap at
/// the end costs what it costs at the start.
PairHmm with_symmetric_ends(PairHmm hmm);

/// Partition function over alignments with affine gaps and free end gaps.
/// Units   scores in matrix units; a score s has weight exp(s / temperature).
/// Source  Miyazawa 1995; Roshan & Livesay 2006, Bioinformatics 22:2715.
struct PartitionFunction {
  PartitionMatrix matrix;
  double gap_open;    ///< first residue of a gap, negative
  double gap_extend;  ///< each further residue, negative
  double temperature;
};

/// Which cells of a pair are kept.
struct SparsityParams {
  float cutoff = 0.01f;         ///< keep cells of at least this probability
  float cells_per_residue = 0;  ///< if > 0, keep at most this many cells a residue of the
                                ///< shorter sequence (the most probable ones)
};

/// The posterior stage: both models ready for the kernels, and what to keep.
struct PosteriorModel {
  accord_model tables;
  SparsityParams sparsity;
};

/// The consistency transform (Do et al. 2005; weighted: Liu et al. 2010, Bioinformatics 26:1958).
struct ConsistencyParams {
  std::optional<int> rounds;  ///< none: see rounds_for()
  int intermediates = 32;     ///< third sequences that it goes through, at most; 0: all
  float cutoff = 0.01f;       ///< keep cells of at least this probability between the rounds
  float final_cutoff = 0.0f;  ///< the same after the last round, whose cells only align
  float self_weight = 1.0f;   ///< factor of the direct evidence

  /// Rounds for a family: 2 for up to 50 sequences, 1 for more (Gudys & Deorowicz 2017), unless
  /// they are given; none for less than three sequences.
  int rounds_for(std::size_t sequences) const {
    return sequences < 3 ? 0 : rounds.value_or(sequences <= 50 ? 2 : 1);
  }
};

/// How the family is split into the two groups that are aligned with each other again.
enum class RefineStrategy {
  random_split,  ///< each sequence to either group by a coin (Liu et al. 2010)
  gap_column,    ///< a column with a gap: sequences with a gap there, and the others (Gudys &
                 ///< Deorowicz 2017, Sci Rep 7:41553)
  tree_edge,     ///< the leaves below a node of the guide tree, and the others, all nodes in turn
};

/// When a realignment replaces the alignment. Its expected accuracy is never below that of the
/// alignment before, since that was one of the alignments of the two groups.
enum class AcceptRule {
  always,      ///< also one of the same expected accuracy
  not_longer,  ///< if it has no more columns than before
  better,      ///< if the expected accuracy between the groups increases
};

/// Choices of refine().
struct RefineOptions {
  RefineStrategy strategy = RefineStrategy::random_split;
  AcceptRule accept = AcceptRule::always;
  int iterations = 10;  ///< splits that are looked at, at most
};

/// Every number that decides what an alignment looks like.
struct Parameters {
  PairHmm hmm;
  PartitionFunction partition;
  SparsityParams sparsity;
  ConsistencyParams consistency;
  RefineOptions refine;
};

/// The parameter set of a residue type and mode ("default" or "accurate").
/// Errors  Error{usage} for an unknown mode.
Parameters default_parameters(ResidueType type, const std::string& mode);

/// The odds-form tables of a parameter set (all logarithms and quotients are taken here, in
/// double, and rounded once).
PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type);

}  // namespace accord
