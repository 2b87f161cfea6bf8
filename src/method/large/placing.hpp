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

/// Options for placing sequences.
struct PlacingOptions {
  bool with_residues = false;  ///< also compute PlacedSequence::residues
  /// The number of nearest members that a sequence is placed with in a first step; 0: one step with
  /// all of its nearest members. A sequence whose accuracy is then below `sure_accuracy` is placed
  /// with all of its nearest members in a second step. For most sequences, the first members are
  /// enough: one of them is a near relative, which counts more than remote members. The posteriors
  /// of each pair are computed once.
  std::size_t first_members = 0;
  float sure_accuracy = 0;  ///< bound of PlacedSequence::accuracy; used if first_members is not 0

  /// One step with all nearest members. `residues` requests PlacedSequence::residues.
  PlacingOptions(bool residues = false) : with_residues(residues) {}
  /// The two steps of an effort.
  PlacingOptions(bool residues, const LargeEffort& effort)
      : with_residues(residues),
        first_members(effort.first_members),
        sure_accuracy(effort.sure_accuracy) {}
};

/// Places sequences in the columns of a part, each independently of the others. The posteriors of
/// the pairs of a sequence with its nearest members are added up by column (see profile_scores),
/// with weights that fall with the distance. The best alignment of the sequence with the columns
/// (see best_path) then determines the column of each residue, or that it is inserted.
///
/// `sequences`: canonical indices in the family. `nearest`: for each of them, its nearest members,
/// as places in `part`; the sequence itself must not be a member. `progress` may be null.
/// Shape   a result for each of `sequences`, in their order.
/// Throws  what the scheduler throws.
/// Cost    the posteriors of the pairs, with about kPlacedRows rows in memory at a time; time for
///         sums and path of a sequence is proportional to its cells, plus length times columns /
///         64.
std::vector<PlacedSequence> place_sequences(const PosteriorFamily& family, const AlignedPart& part,
                                            std::span<const std::uint32_t> sequences,
                                            const NearestMembers& nearest,
                                            const PlacingOptions& options, Scheduler& scheduler,
                                            ProgressListener* progress);

}  // namespace accord
