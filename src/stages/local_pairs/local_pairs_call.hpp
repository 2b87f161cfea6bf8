// SPDX-License-Identifier: Apache-2.0
// The calls of the stage of local alignments, which backends compute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"
#include "engine/stage_request.hpp"
#include "models/local_scores.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {

class Backend;

/// The gaps that a local alignment of two sequences may have.
enum class LocalGaps {
  affine,
  /// Also gaps in both sequences at the same place, with one cost for any lengths (Altschul 1998,
  /// Proteins 32:88): for motifs with long unrelated stretches between them.
  generalised
};

/// The scores of letters and gaps for local alignments, as the kernels take them. All are integers
/// in the unit of LocalParams.
accord_local_scores local_scores(ResidueType type, LocalGaps gaps, const LocalParams& params = {});

/// Computes the best local alignment of each pair of some blocks, in integers. local_pairs/cell.h
/// has the recursion, and the choice among several best alignments. All objects that the fields
/// refer to must outlive the call.
/// Throws  Error{bad_input} if sequences are so long that scores could leave 32 bits.
/// Reference  Smith & Waterman 1981, J Mol Biol 147:195; Gotoh 1982, J Mol Biol 162:705.
struct LocalPairsCall {
  static const Stage stage;
  /// Units   cells of the dynamic programming.
  static constexpr SharePolicy policy{1e8, 0.05, 0.5, true, 1 << 16};

  const CodedSequences& sequences;
  std::span<const PairBlock> blocks;  ///< the pairs to align; a block has pairs of one y
  const accord_local_scores& scores;
  const PairSink<LocalAlignment>& sink;  ///< gets the alignment of each pair
  /// A task is cut into blocks of rows if it would take more working memory than this, or than the
  /// backend's own limit. The results are the same.
  std::size_t most_task_bytes = SIZE_MAX;

  /// Compares the alignments of a made-up family by `tested` with those by `reference`, for both
  /// kinds of gaps, in one block of rows and in several.
  /// Returns  an empty text if all alignments agree, else the place of the first difference.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Refuses blocks whose scores could leave 32 bits.
/// Throws  Error{bad_input}
void check(const LocalPairsCall& call);

/// Computes the local alignments of all pairs of sequences on one backend; that of (x, y), x < y,
/// is at place y (y - 1) / 2 + x. `most_task_bytes`: see LocalPairsCall.
/// Throws  as LocalPairsCall; what the backend throws.
std::vector<LocalAlignment> local_alignments(Backend& backend, const CodedSequences& sequences,
                                             const accord_local_scores& scores,
                                             std::size_t most_task_bytes = SIZE_MAX);

}  // namespace accord
