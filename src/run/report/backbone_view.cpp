// SPDX-License-Identifier: Apache-2.0
#include "run/report/backbone_view.hpp"

#include <vector>

namespace accord {

BackboneView backbone_view(const SequenceSet& set, const AlignResult& result) {
  const std::vector<std::uint32_t>& members = result.backbone->members;
  const Confidence& confidence = *result.confidence;
  std::vector<bool> is_shown(result.msa.columns, false);
  for (const std::uint32_t x : members) {
    for (const std::uint32_t c : result.msa.column_of[x]) is_shown[c] = true;
  }
  BackboneView view{set.subset(members), {}, {}};
  view.confidence.mean = confidence.mean;
  view.confidence.pairs = confidence.pairs;
  std::vector<std::uint32_t> shown(result.msa.columns, 0);
  for (std::uint32_t c = 0; c < result.msa.columns; ++c) {
    if (!is_shown[c]) continue;
    shown[c] = view.msa.columns++;
    view.confidence.column.push_back(confidence.column[c]);
    view.confidence.column_residues.push_back(confidence.column_residues[c]);
  }
  for (const std::uint32_t x : members) {
    std::vector<std::uint32_t>& row = view.msa.column_of.emplace_back();
    for (const std::uint32_t c : result.msa.column_of[x]) row.push_back(shown[c]);
    view.confidence.residue.push_back(confidence.residue[x]);
  }
  return view;
}

}  // namespace accord
