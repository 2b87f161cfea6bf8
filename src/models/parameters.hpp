// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// The residues that a parameter set is for. DNA and RNA share one kind.
enum class ResidueKind { protein, nucleotide };
ResidueKind kind_of(ResidueType type);
/// "protein" or "nucleotide".
const char* to_string(ResidueKind kind);

/// A pair of insert states, one for each sequence, of a pair-HMM.
/// Units   probabilities; `end` is a factor.
struct GapClass {
  double open;   ///< from the match state to one of the two states
  double stay;   ///< from a state to itself
  double start;  ///< of beginning in one of the two states
  double end;    ///< weight of ending in one of the two states
};

/// Emission odds of two residues: match state over two insert states.
/// Proteins: log odds = sharpness ((1 - vtml200_share) log p + vtml200_share 0.2319 s), where p is
/// the odds of ProbCons' table (Do et al. 2005) and s the VTML200 score. The odds are multiplied by
/// the odds of the contexts to the power of `context_share`.
/// Nucleotides: the odds of 0.12 for equal and 0.044 for different bases, to the power of
/// `sharpness`.
struct EmissionParams {
  double vtml200_share = 0;  ///< 0 for nucleotides
  double sharpness = 1;
  double context_share = 0;  ///< factor of the log odds of contexts (ResidueContexts)
};

/// Pair-HMM of a match state and one to three pairs of insert states.
/// Reference  Do et al. 2005, Genome Res 15:330.
struct PairHmm {
  double start_match;  ///< probability of beginning in a match
  double end_match;    ///< weight of ending in a match
  std::vector<GapClass> gaps;
  EmissionParams emissions = {};

  /// Probability of going from a match to the next match.
  double match_match() const;
};

/// Sets the end weights so that an alignment and its reverse are equally probable: a gap at the end
/// costs as much as the same gap at the start.
PairHmm with_symmetric_ends(PairHmm hmm);

/// Partition function over alignments with affine gaps and free end gaps.
/// Units   scores in matrix units; a score s has weight exp(s / temperature), which is multiplied
///         by the odds of the contexts to the power of context_share.
/// Reference  Miyazawa 1995; Roshan & Livesay 2006, Bioinformatics 22:2715.
struct PartitionFunction {
  double vtml200_share;  ///< proteins: scores between Gonnet160 (0) and VTML200 (1);
                         ///< nucleotides: 0, their scores are HOXD70
  double gap_open;       ///< first residue of a gap, negative
  double gap_extend;     ///< each further residue, negative
  double temperature;
  double context_share = 0;  ///< factor of the log odds of contexts (ResidueContexts)
};

/// Factors of opening a gap between two residues, by their letters and contexts, in both models.
struct GapOpeningParams {
  double context_share = 0;  ///< power of the factors (ResidueContexts::log_opening)
};

/// Combines the posteriors P of the pair-HMM and Q of the partition function: ((1 - r) (h P + q Q)
/// + r sqrt(h P^2 + q Q^2))^calibration, with q = 1 - h.
struct MixtureParams {
  double hmm_share = 0.5;   ///< h; 0 or 1 leave one model out
  double square_share = 1;  ///< r; 0: the mean, 1: the root mean square (Liu et al. 2010)
  double calibration = 1;   ///< see Calibration
};

/// Parameters of the sequence weights, which are computed from a guide tree (see
/// sequence_weights.hpp).
struct WeightParams {
  double exponent = 1;  ///< power of a sequence's share of the tree; 0: equal weights
  int total = 1000;     ///< approximate sum of the integer weights
};

/// The consistency transform (Do et al. 2005; weighted: Liu et al. 2010, Bioinformatics 26:1958).
struct ConsistencyParams {
  int rounds = 2;           ///< for families of up to large_from - 1 sequences
  int rounds_of_large = 1;  ///< for larger families (Gudys & Deorowicz 2017)
  int large_from = 51;      ///< a family of this many sequences is large
  int intermediates = 32;   ///< largest number of third sequences per pair; 0: all
  /// In a family of at least `nearest_from` sequences, a pair has intermediates of its own: the
  /// sequences that are among the `nearest` nearest ones of both. 0, as for nucleotides: all pairs
  /// have the same, as they do if `intermediates` is 0.
  int nearest = 96;
  int nearest_from = 101;     ///< chosen, as `nearest`, on families of 33 to 700 sequences
  float cutoff = 0.01f;       ///< keep cells of at least this probability between the rounds
  float final_cutoff = 0.0f;  ///< the same after the last round; the alignment alone uses its cells
  double self_weight = 1;     ///< factor f of the direct evidence in a family of ten sequences
  double self_weight_power = 0;  ///< f grows with this power of the number of sequences

  /// The number of rounds for a family; 0 for fewer than three sequences.
  int rounds_for(std::size_t sequences) const {
    if (sequences < 3) return 0;
    return sequences < static_cast<std::size_t>(large_from) ? rounds : rounds_of_large;
  }

  /// The number of nearest sequences of each sequence that may be intermediates of its pairs in a
  /// family of n sequences; 0: all pairs have the same intermediates.
  std::size_t nearest_for(std::size_t sequences) const {
    if (intermediates == 0 || sequences < static_cast<std::size_t>(nearest_from)) return 0;
    return static_cast<std::size_t>(nearest);
  }

  /// The cutoff after each round, in order; empty if there is no round.
  std::vector<float> cutoffs_for(std::size_t sequences) const;

  /// Sets the number of rounds for families of every size.
  void set_rounds(int number) { rounds = rounds_of_large = number; }

  /// The factor of the direct evidence in a family of n sequences: self_weight (n /
  /// 10)^self_weight_power, limited to [0.05, 50]. The same bits on all platforms.
  float self_weight_for(std::size_t sequences) const;
};

struct SubstitutionMatrix;
struct TrackClasses;
struct TrackTable;

/// The use of tracks. Between two sequences with tracks, the odds of the classes of two residues,
/// to the power of a factor, take the place of the odds of their contexts.
struct TrackParams {
  std::shared_ptr<const TrackTable> table = {};      ///< null: there are no tracks
  std::shared_ptr<const TrackClasses> classes = {};  ///< of the letters of the table
  /// The weight of the tracks of one family; none: not known. It is a factor of both powers below,
  /// unless it is below 1 and `is_share` is set.
  std::optional<double> weight = {};
  bool is_share = false;  ///< a weight below 1 is a share of right letters (build_track_model)
  double hmm_factor = 1;  ///< the power for the weight 1 in the pair-HMM
  double partition_factor = 1;  ///< the same in the partition function

  bool is_used() const { return classes != nullptr && weight.value_or(0) > 0; }
};

/// The scores of a matrix file, which replace the built-in emissions and scores of both pair
/// models. Two letters with the score s have the odds exp(hmm_factor s) and the weight
/// exp(partition_factor s).
struct MatrixParams {
  std::shared_ptr<const SubstitutionMatrix> matrix = {};  ///< null: the built-in scores
  double hmm_factor = 0, partition_factor = 0;
};

/// All numbers that influence an alignment.
struct Parameters {
  ResidueKind residues = ResidueKind::protein;
  PairHmm hmm;
  PartitionFunction partition;
  MatrixParams matrix = {};
  TrackParams track = {};
  GapOpeningParams gap_openings;
  MixtureParams mixture;
  float cutoff = 0.01f;  ///< cells below this probability are dropped, before calibration
  ConsistencyParams consistency;
  WeightParams weights;
  int refine_iterations = 10;  ///< largest number of splits that refine() tries
};

/// The built-in parameters for a residue type (see parameter_set.hpp).
Parameters default_parameters(ResidueType type);

}  // namespace accord
