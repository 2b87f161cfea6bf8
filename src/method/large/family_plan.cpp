// SPDX-License-Identifier: Apache-2.0
#include "method/large/family_plan.hpp"

#include <utility>

#include "method/family_size.hpp"
#include "method/large/alike_genomes.hpp"

namespace accord {

FamilyPlan plan_family(const SequenceSet& set, const AlignSettings& settings) {
  if (auto genomes = genome_backbone(set, settings)) {
    const std::size_t backbone = genomes->size();
    return {set.size(), backbone, std::move(genomes)};
  }
  return {set.size(), backbone_size(set.lengths(), settings)};
}

}  // namespace accord
