// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sequence_set.hpp"
#include "method/settings.hpp"

namespace accord {

/// Which sequences of a family are aligned with the whole method: all of them, or a backbone, to
/// which the other sequences are then added.
struct FamilyPlan {
  std::size_t sequences = 0;  ///< of the family
  std::size_t backbone = 0;   ///< sequences that are aligned with the whole method
  /// The backbone of a family of genomes, see genome_backbone(). Shape: as there.
  std::optional<std::vector<std::uint32_t>> genomes = {};

  /// Whether sequences are added to the backbone.
  bool is_large() const { return backbone < sequences; }
};

/// The plan of a family that is aligned whole.
inline FamilyPlan whole_family(const SequenceSet& set) { return {set.size(), set.size()}; }

/// The plan of a family, from its sequences and settings: a genome_backbone(), or else
/// backbone_size() sequences.
/// Cost    for long nucleotide sequences that of genome_backbone(), else O(N).
FamilyPlan plan_family(const SequenceSet& set, const AlignSettings& settings);

}  // namespace accord
