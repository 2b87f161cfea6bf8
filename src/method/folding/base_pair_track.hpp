// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"

namespace accord {

/// A family of RNA whose sequences have their base pairs, and the letters of these as tracks.
struct FoldedFamily {
  SequenceSet set;
  AlignSettings settings;  ///< with the table of the letters
  double identity = 0;     ///< of the alignment that the base pairs were predicted with
  TrackWeight weight;      ///< with the agreement of the letters of sequences folded alone
};

/// The largest identity of RNA for which base pairs are predicted, and the most bases of a sequence
/// and columns of an alignment. Of 106 families of BRAliBase those above this identity gain
/// nothing; longer sequences were not measured.
constexpr double kFoldedIdentity = 0.75;
/// The least agreement of the letters of sequences folded alone. BRAliBase has .81 to 1; sequences
/// that were simulated without a structure have .2 to .6, and lose by being folded.
constexpr double kLeastAgreement = 0.8;
constexpr std::size_t kLongestFolded = 500, kMostFoldedColumns = 3000;

/// Whether base pairs may be predicted for a family: RNA without tracks that is aligned by
/// posteriors, with settings that do not say never, and no sequence too long.
bool can_fold(const SequenceSet& set, const AlignSettings& settings);

/// Predicts the base pairs of a family from an alignment of it, and gives each base a letter:
///
///   u, v, w   unpaired with a probability above .9, above .6, or less
///   L, l      the first base of a pair, with a probability above .75, or less
///   R, r      the second base
///
/// At first each sequence is folded alone. If these letters agree (see estimate_track_weight), the
/// family has a structure. Then each sequence is folded once more, and a pair of bases is
/// worth more by the factor ((p + .05) / .05)^.6. Here p is the mean probability, in the other
/// sequences, of the pair of bases in the same columns, as in TurboFold (Harmanci, Sharma and
/// Mathews 2011, BMC Bioinformatics 12:108).
///
/// `set`: of can_fold(). `msa`: an alignment of it.
/// Returns  no value if the alignment is wider than kMostFoldedColumns, if the identity over all
///          pairs of its rows is kFoldedIdentity or more, or if the letters of sequences folded
///          alone agree less than kLeastAgreement.
/// Throws   as estimate_track_weight.
/// Cost     base_pair_probabilities() twice for each sequence, on thread_count() threads; 8 bytes
///          for each pair of columns.
std::optional<FoldedFamily> fold_family(const SequenceSet& set, const AlignSettings& settings,
                                        const Msa& msa, Scheduler& scheduler);

/// The same sequences with tracks.
/// `tracks`: by canonical index.
SequenceSet with_tracks(const SequenceSet& set, const std::vector<std::string>& tracks);

}  // namespace accord
