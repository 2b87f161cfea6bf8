// SPDX-License-Identifier: Apache-2.0
#include "stages/local_pairs/local_pairs_call.hpp"

#include <algorithm>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {

accord_local_scores local_scores(ResidueType type, LocalGaps gaps, const LocalParams& params) {
  accord_local_scores local{};
  const std::vector<std::int32_t> scores = residue_scores(type);
  std::transform(scores.begin(), scores.end(), local.score,
                 [&](std::int32_t score) { return score - params.pair_offset; });
  for (std::size_t a = 0; a < ACCORD_SYMBOLS; ++a) {
    local.score[a * ACCORD_SYMBOLS + ACCORD_BORDER_SYMBOL] = ACCORD_LOCAL_NO_MATCH;
    local.score[ACCORD_BORDER_SYMBOL * ACCORD_SYMBOLS + a] = ACCORD_LOCAL_NO_MATCH;
  }
  local.open = params.pair_open;
  local.extend = params.pair_extend;
  local.jump = gaps == LocalGaps::generalised ? params.pair_jump : ACCORD_LOCAL_NO_JUMP;
  return local;
}

void check(const LocalPairsCall& call) {
  std::int32_t most = 1;
  for (std::uint32_t a = 0; a < ACCORD_SYMBOLS; ++a) {
    most = std::max(most, call.scores.score[a * ACCORD_SYMBOLS + a]);
  }
  for (const PairBlock& block : call.blocks) {
    const std::uint64_t shorter =
        std::min(call.sequences.length(block.y), call.sequences.length(block.first_x));
    const std::uint64_t longer = call.sequences.length(block.first_x);
    if (shorter * static_cast<std::uint64_t>(most) < ACCORD_LOCAL_MOST_SCORE &&
        longer * static_cast<std::uint64_t>(call.scores.extend) < ACCORD_LOCAL_MOST_SCORE) {
      continue;
    }
    throw Error(ErrorKind::bad_input,
                "local alignments of sequences of " + std::to_string(longer) + " and " +
                    counted(shorter, "residue") + ": too long for 32-bit scores",
                "leave out {mode}");
  }
}

std::vector<LocalAlignment> local_alignments(Backend& backend, const CodedSequences& sequences,
                                             const accord_local_scores& scores,
                                             std::size_t most_task_bytes) {
  const std::size_t n = sequences.size();
  std::vector<LocalAlignment> found(n * (n - (n > 0)) / 2);
  const PairSink<LocalAlignment> sink = [&](std::uint32_t x, std::uint32_t y,
                                            LocalAlignment alignment) {
    found[std::size_t{y} * (y - 1) / 2 + x] = std::move(alignment);
  };
  const std::vector<PairBlock> blocks = plan_pair_blocks(sequences.lengths());
  backend.compute(LocalPairsCall{sequences, blocks, scores, sink, most_task_bytes});
  return found;
}

std::string LocalPairsCall::self_test(Backend& tested, Backend& reference) {
  const SelfTestFamily family;
  const CodedSequences& sequences = family.set().coded();
  constexpr std::size_t kInBlocks = 1 << 14;
  for (const LocalGaps gaps : {LocalGaps::affine, LocalGaps::generalised}) {
    accord_local_scores scores = local_scores(ResidueType::protein, gaps);
    scores.open = 300;  // cheap, so that there are some
    if (gaps == LocalGaps::generalised) scores.jump = 700;
    const std::vector<LocalAlignment> expected = local_alignments(reference, sequences, scores);
    for (const std::size_t task_bytes : {SIZE_MAX, kInBlocks}) {
      const std::vector<LocalAlignment> found =
          local_alignments(tested, sequences, scores, task_bytes);
      const std::string where =
          family.first_difference([&](std::size_t pair) { return expected[pair] == found[pair]; });
      if (!where.empty()) return "wrong local alignment " + where;
    }
  }
  return {};
}

}  // namespace accord
