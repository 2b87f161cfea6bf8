// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "method/effort.hpp"
#include "method/large/representatives.hpp"
#include "models/models.hpp"

namespace accord {

/// How sequences are placed.
struct PlacingOptions {
  bool with_residues = false;
  /// Members that a sequence is placed with in a first step, the nearest ones; 0: all of its
  /// nearest members at once. A sequence whose accuracy is below `sure_accuracy` then is placed
  /// with all of its nearest members in a second step. Most sequences have a near relative among
  /// the first members, and remote members count less beside it. Each pair is computed once.
  std::size_t first_members = 0;
  float sure_accuracy = 0;

  /// With all of the nearest members at once.
  PlacingOptions(bool residues = false) : with_residues(residues) {}
  /// In the two steps of an effort.
  PlacingOptions(bool residues, const LargeEffort& effort)
      : with_residues(residues),
        first_members(effort.first_members),
        sure_accuracy(effort.sure_accuracy) {}
};

/// Places sequences in the columns of a part, each by itself: the posteriors of its pairs with its
/// nearest members are added up by column (see profile_scores), with weights that fall with the
/// distance, and the alignment of the sequence with the columns that has the largest sum (see
/// best_path) says which residue stands in which column, and which ones are inserted.
///
/// `nearest`: members of each of the sequences, which may not be members themselves. `progress` may
/// be null.
/// Throws  what the scheduler throws.
/// Cost    the posteriors of the pairs, of which about 4 million rows are in memory at a time;
///         sums and path of a sequence are proportional to its cells and to length times columns
///         over 64.
std::vector<PlacedSequence> place_sequences(const PosteriorFamily& family, const AlignedPart& part,
                                            std::span<const std::uint32_t> sequences,
                                            const NearestMembers& nearest,
                                            const PlacingOptions& options, Scheduler& scheduler,
                                            ProgressListener* progress);

}  // namespace accord
