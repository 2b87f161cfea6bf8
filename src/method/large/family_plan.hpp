// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sequence_set.hpp"
#include "method/large/backbone_fit.hpp"
#include "method/settings.hpp"

namespace accord {

/// Which sequences of a family are aligned with the whole method: all of them together, or a
/// backbone, to which the other sequences are then added, or each in a subset.
struct FamilyPlan {
  std::size_t sequences = 0;  ///< of the family
  /// Sequences that are aligned with the whole method, or the most of a subset: half as many again
  /// as the backbone would have, unless the user has set the number.
  std::size_t backbone = 0;
  /// The backbone of a family of genomes, see genome_backbone(). Shape: as there.
  std::optional<std::vector<std::uint32_t>> genomes = {};

  /// How well the backbone stands for the family; not set for genomes, nor if it was not looked at.
  std::optional<BackboneFit> fit = {};
  /// Whether a large family is aligned by subsets (see align_by_subsets) in place of a backbone.
  bool by_subsets = false;

  /// Whether not all sequences are aligned together with the whole method.
  bool is_large() const { return backbone < sequences; }
};

/// The plan of a family that is aligned whole.
inline FamilyPlan whole_family(const SequenceSet& set) { return {set.size(), set.size()}; }

/// The plan of a family, from its sequences and settings: a genome_backbone(), or else
/// backbone_size() sequences.
///
/// With LargeFamilies::subsets, large families are aligned by subsets. With
/// LargeFamilies::automatic, those of nucleotides are that have at most kMostBySubsets sequences
/// and whose backbone has a bad fit, unless the user has set the size of the backbone or a guide
/// tree. Proteins are not: of two families with a bad fit, subsets made one worse.
/// Cost    for long nucleotide sequences that of genome_backbone(); for large families that of
///         select_backbone() and backbone_fit(), and a pass over all residues; else O(N).
FamilyPlan plan_family(const SequenceSet& set, const AlignSettings& settings);

constexpr std::size_t kMostBySubsets = 10'000;

}  // namespace accord
