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

/// Units of importance in one unit of score: importances are held as fractions of 2^-16.
constexpr std::uint32_t kImportanceUnits = 16;

/// Distance of two sequences: 2 (1 - s_xy / min(s_xx, s_yy)), s the scores of local alignments, in
/// [0, 2]; 2 if one of them matches nothing, not even itself.
float local_distance(std::int32_t score, std::int64_t self_x, std::int64_t self_y);

/// The score of a sequence with itself.
std::int64_t self_score(std::span<const std::uint8_t> codes, const accord_local_scores& scores);

/// Weights of the sequences, of sum 1: of a leaf with branches l_0, l_1, ... up to the root
/// sum_k l_k / 2^k + 0.001, over the sum of all. The same bits on all platforms.
/// Reference  Katoh et al. 2002, Nucleic Acids Res 30:3059.
std::vector<double> path_weights(const GuideTree& tree);

/// The importance of aligning two residues: for each pair (x, y) the cells of its local alignment.
///
/// The evidence of a pair is its mean score per aligned residue, o. A residue i of x has the
/// support imp_x(i), the sum of the weights of the sequences y whose local alignment covers it. A
/// segment has, times `factor`, the mean over its residues of imp_x o, averaged with the same of y.
/// Units   1 / kImportanceUnits of a score; at most 65535, in place of the probabilities of a
///         posterior set.
/// `alignments`: that of (x, y) at place y (y - 1) / 2 + x.
/// Cost    O(cells); 4 bytes a cell and a row.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511.
PosteriorSet importance(const CodedSequences& sequences, std::span<const LocalAlignment> alignments,
                        std::span<const double> weights, std::span<const std::int32_t> scores,
                        double factor);

}  // namespace accord
