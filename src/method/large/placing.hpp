// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "method/large/representatives.hpp"
#include "models/models.hpp"
#include "stages/scheduler.hpp"

namespace accord {

/// In place of the column of a residue that no column takes.
constexpr std::uint32_t kInserted = std::numeric_limits<std::uint32_t>::max();

/// The evidence for a residue of a placed sequence: for a residue in a column, that it is aligned
/// with the residues of its nearest members there; for an inserted one, that it is aligned with no
/// residue of any of them.
struct PlacedResidue {
  std::uint32_t pairs = 0;  ///< whose probabilities are summed
  std::uint32_t units = 0;  ///< sum of probabilities, in units of 2^-16
};

/// A sequence in the columns of a part.
struct PlacedSequence {
  std::vector<std::uint32_t> column;  ///< of each residue, strictly increasing, or kInserted
  std::uint32_t nearest = 0;          ///< place of the member at the smallest distance
  float distance = 1;                 ///< from it, see expected_accuracy_distance
  /// The score of its alignment with the columns, as a share of the score if all pairs were
  /// certain.
  float accuracy = 1;
  std::vector<PlacedResidue> residues;  ///< only if they are asked for
};

/// How sequences are placed.
struct PlacingOptions {
  bool with_residues = false;
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

/// Places sequences in two steps: as place_sequences() does with the kFirstNearest first of their
/// nearest members, and those whose accuracy is then below kSureAccuracy with all of them. Most
/// sequences have a near relative among the first, and remote members hardly count beside it. Each
/// pair is computed once.
std::vector<PlacedSequence> place_in_steps(const PosteriorFamily& family, const AlignedPart& part,
                                           std::span<const std::uint32_t> sequences,
                                           const NearestMembers& nearest,
                                           const PlacingOptions& options, Scheduler& scheduler,
                                           ProgressListener* progress);

constexpr std::size_t kFirstNearest = 12;
constexpr float kSureAccuracy = 0.6f;

}  // namespace accord
