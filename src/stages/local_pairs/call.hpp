// SPDX-License-Identifier: Apache-2.0
// The stage of the local alignments of pairs: what backends get, what the scheduler has to know,
// the self-test.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"
#include "engine/stage_request.hpp"
#include "models/local_scores.hpp"
#include "stages/posteriors/plan.hpp"

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

/// Takes the local alignment of the pair (x, y), x < y. The rules are those of MatrixSink.
using LocalSink = std::function<void(std::uint32_t x, std::uint32_t y, LocalAlignment alignment)>;

/// The best local alignment of each pair of some blocks, in integers (see local_pairs/cell.h for
/// the recursion and which of several best alignments it is).
/// Errors  Error{bad_input} if sequences are so long that scores could leave 32 bits.
/// Source  Smith & Waterman 1981, J Mol Biol 147:195; Gotoh 1982, J Mol Biol 162:705.
struct LocalPairsCall {
  static constexpr BackendStage stage = BackendStage::local_pairs;
  /// Units   cells of the dynamic programming.
  static constexpr SharePolicy policy{1e8, 0.05, 0.5, true, 1 << 16};

  const CodedSequences& sequences;
  std::span<const PairBlock> blocks;
  const accord_local_scores& scores;
  const LocalSink& sink;
  /// A task is cut into blocks of rows if it would take more working memory than this, or than the
  /// backend's own limit. The results are the same.
  std::size_t most_task_bytes = SIZE_MAX;

  /// Compares a made-up family, with both kinds of gaps, in one block of rows and in several, with
  /// the reference.
  /// Result  nothing if all alignments agree, else where the first difference is.
  static std::string self_test(Backend& tested, Backend& reference);
};

/// Refuses blocks whose scores could leave 32 bits.
/// Errors  Error{bad_input}
void check(const LocalPairsCall& call);

/// The local alignments of all pairs of sequences, computed by one backend; that of (x, y) is at
/// place y (y - 1) / 2 + x.
std::vector<LocalAlignment> local_alignments(Backend& backend, const CodedSequences& sequences,
                                             const accord_local_scores& scores,
                                             std::size_t most_task_bytes = SIZE_MAX);

/// Local alignments of all pairs of a family; the items are blocks of pairs.
class LocalPairsRequest : public StageRequest {
 public:
  /// Pairs with an empty sequence are left out. What is given must outlive this.
  LocalPairsRequest(const CodedSequences& sequences, const accord_local_scores& scores,
                    const LocalSink& sink);

  BackendStage stage() const override { return LocalPairsCall::stage; }
  const SharePolicy& policy() const override { return LocalPairsCall::policy; }
  std::size_t items() override { return blocks_.size(); }
  double work(std::size_t item) const override {
    return static_cast<double>(block_cells(lengths_, blocks_[item]));
  }
  std::uint32_t pairs(std::size_t item) const override { return blocks_[item].count; }
  /// Errors  Error{device_failed} if the backend leaves pairs out.
  void run(Backend& backend, std::uint32_t memory_parts, std::span<const ItemRange> items) override;

 private:
  const CodedSequences& sequences_;
  const std::vector<std::uint32_t> lengths_;
  const std::vector<PairBlock> blocks_;
  const accord_local_scores& scores_;
  const LocalSink& sink_;
};

}  // namespace accord
