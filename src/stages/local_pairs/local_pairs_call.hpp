// SPDX-License-Identifier: Apache-2.0
// The stage of the local alignments of pairs: what backends get.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"
#include "engine/pair_sink.hpp"
#include "engine/stage_request.hpp"
#include "models/local_scores.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {

class Backend;

/// Gaps of a local alignment of two sequences.
enum class LocalGaps {
  affine,
  /// Also gaps in both sequences at the same place, at one price for any lengths (Altschul 1998,
  /// Proteins 32:88): for motifs with long unrelated stretches between them.
  generalised
};

/// What the local alignments of pairs are computed with.
accord_local_scores local_scores(ResidueType type, LocalGaps gaps, const LocalParams& params = {});

/// The best local alignment of each pair of some blocks, in integers (see local_pairs/cell.h for
/// the recursion and which of several best alignments it is).
/// Throws  Error{bad_input} if sequences are so long that scores could leave 32 bits.
/// Reference  Smith & Waterman 1981, J Mol Biol 147:195; Gotoh 1982, J Mol Biol 162:705.
struct LocalPairsCall {
  static constexpr BackendStage stage = BackendStage::local_pairs;
  /// Units   cells of the dynamic programming.
  static constexpr SharePolicy policy{1e8, 0.05, 0.5, true, 1 << 16};

  const CodedSequences& sequences;
  std::span<const PairBlock> blocks;
  const accord_local_scores& scores;
  const PairSink<LocalAlignment>& sink;
  /// A task is cut into blocks of rows if it would take more working memory than this, or than the
  /// backend's own limit. The results are the same.
  std::size_t most_task_bytes = SIZE_MAX;

  /// Compares a made-up family, with both kinds of gaps, in one block of rows and in several, with
  /// the reference.
  /// Returns  nothing if all alignments agree, else where the first difference is.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Refuses blocks whose scores could leave 32 bits.
/// Throws  Error{bad_input}
void check(const LocalPairsCall& call);

/// The local alignments of all pairs of sequences, computed by one backend; that of (x, y) is at
/// place y (y - 1) / 2 + x.
std::vector<LocalAlignment> local_alignments(Backend& backend, const CodedSequences& sequences,
                                             const accord_local_scores& scores,
                                             std::size_t most_task_bytes = SIZE_MAX);

}  // namespace accord
