// SPDX-License-Identifier: Apache-2.0
#include "models/parameters.hpp"

#include <algorithm>

#include "base/portable_math.hpp"

namespace accord {

ResidueKind kind_of(ResidueType type) {
  return type == ResidueType::protein ? ResidueKind::protein : ResidueKind::nucleotide;
}

const char* to_string(ResidueKind kind) {
  return kind == ResidueKind::protein ? "protein" : "nucleotide";
}

double PairHmm::match_match() const {
  double opens = 0;
  for (const GapClass& gap : gaps) opens += gap.open;
  return 1 - 2 * opens;
}

PairHmm with_symmetric_ends(PairHmm hmm) {
  // A gap at the start has the weight start (1 - stay), and a gap at the end open * end. Without a
  // gap the weights are start_match and end_match.
  hmm.end_match = hmm.start_match;
  for (GapClass& gap : hmm.gaps) gap.end = gap.start * (1 - gap.stay) / gap.open;
  return hmm;
}

float ConsistencyParams::self_weight_for(std::size_t sequences) const {
  constexpr double kLeast = 0.05, kMost = 50;
  const double tens = std::max(1.0, static_cast<double>(sequences)) / 10;
  return static_cast<float>(
      std::clamp(self_weight * portable_pow(tens, self_weight_power), kLeast, kMost));
}

std::vector<float> ConsistencyParams::cutoffs_for(std::size_t sequences) const {
  std::vector<float> cutoffs(static_cast<std::size_t>(rounds_for(sequences)), cutoff);
  if (!cutoffs.empty()) cutoffs.back() = final_cutoff;
  return cutoffs;
}

}  // namespace accord
