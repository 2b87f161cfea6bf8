// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"
#include "core/local_alignment.hpp"
#include "core/posterior_set.hpp"
#include "core/sequence_set.hpp"
#include "models/local_scores.hpp"

namespace accord {

/// Units of importance per unit of score. Importances are stored as whole numbers of 1 /
/// kImportanceUnits of a score, in the 16 bits in which a posterior set holds a probability.
constexpr std::uint32_t kImportanceUnits = 16;

/// Distance of two sequences, limited to [0, 2]: 2 (1 - s_xy / min(s_xx, s_yy)), where s are the
/// scores of local alignments; 2 if one of the sequences has no positive score with itself.
/// `score` is s_xy; `self_x` and `self_y` are the self_score() of both sequences.
float local_distance(std::int32_t score, std::int64_t self_x, std::int64_t self_y);

/// The score of a sequence, given by its residue codes, aligned with itself.
std::int64_t self_score(std::span<const std::uint8_t> codes, const accord_local_scores& scores);

/// Weights of the sequences, by leaf, with sum 1. A leaf whose path, from the leaf up, has the
/// branches l_0, l_1, ... has a weight proportional to sum_k l_k / 2^k + 0.001. The tree may have
/// branch lengths or heights; the function converts heights. The same bits on all platforms.
/// Reference  Katoh et al. 2002, Nucleic Acids Res 30:3059.
std::vector<double> path_weights(const GuideTree& tree);

/// Computes the importance of aligning two residues. The matrix of a pair (x, y) has the cells of
/// its local alignment.
///
/// A local alignment consists of segments without gaps. All cells of a segment have the same
/// importance. The evidence o of a pair is the mean score of its aligned pairs of residues. The
/// support imp_x(i) of residue i of x is the sum of the weights of the sequences whose local
/// alignment with x covers the residue. The importance of a segment is `factor` times o times the
/// mean support of its residues, averaged over x and y.
/// `alignments` has the pair (x, y) at index y (y - 1) / 2 + x; `weights` are those of
/// path_weights(); scores[a * ACCORD_SYMBOLS + b] is the score of the residue codes a and b.
/// Returns  a posterior set in which importances take the place of probabilities.
/// Units   1 / kImportanceUnits of a score; at most 65535.
/// Cost    O(cells); 4 bytes per cell and per row.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511.
PosteriorSet importance(const CodedSequences& sequences, std::span<const LocalAlignment> alignments,
                        std::span<const double> weights, std::span<const std::int32_t> scores,
                        double factor);

}  // namespace accord
