// SPDX-License-Identifier: Apache-2.0
#include "method/large/family_plan.hpp"

#include <algorithm>
#include <utility>

#include "method/family_size.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/representatives.hpp"

namespace accord {
namespace {

BackboneFit fit_of(const SequenceSet& set, std::size_t backbone) {
  return backbone_fit(set, select_backbone(set, distinct_sequences(set), backbone));
}

/// Whether a large family whose backbone has this fit is aligned by subsets.
bool takes_subsets(const SequenceSet& set, const AlignSettings& settings, const BackboneFit& fit) {
  if (settings.large == LargeFamilies::subsets) return true;
  return settings.large == LargeFamilies::automatic && settings.backbone == 0 &&
         settings.tree != TreeMethod::file && !settings.is_local() &&
         set.type() != ResidueType::protein && set.size() <= kMostBySubsets && fit.is_bad();
}

}  // namespace

FamilyPlan plan_family(const SequenceSet& set, const AlignSettings& settings) {
  if (auto genomes = genome_backbone(set, settings)) {
    const std::size_t backbone = genomes->size();
    return {set.size(), backbone, std::move(genomes)};
  }
  FamilyPlan plan{set.size(), backbone_size(set.lengths(), settings)};
  if (plan.is_large()) {
    plan.fit = fit_of(set, plan.backbone);
    plan.by_subsets = takes_subsets(set, settings, *plan.fit);
    if (plan.by_subsets && settings.backbone == 0) {
      plan.backbone = std::min(plan.sequences - 1, plan.backbone + plan.backbone / 2);
    }
  }
  return plan;
}

}  // namespace accord
