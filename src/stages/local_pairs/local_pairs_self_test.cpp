// SPDX-License-Identifier: Apache-2.0
#include "engine/backend.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {

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
