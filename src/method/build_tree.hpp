// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "io/trees/newick_notes.hpp"
#include "method/settings.hpp"

namespace accord {

/// Reads the guide tree of TreeMethod::file. If `notes` is not null, it receives the notes of the
/// tree.
/// Throws  what read_text throws; as parse_newick for a tree that does not fit the family.
GuideTree tree_of_file(const SequenceSet& set, const AlignSettings& settings,
                       NewickNotes* notes = nullptr);

/// Builds the guide tree by the method of the settings: from the distances, or from a file. If
/// `notes` is not null, it receives the notes of a tree from a file.
/// Throws  what the scheduler throws; as tree_of_file for a tree from a file.
GuideTree build_tree(const SequenceSet& set, const DistanceMatrix& distances,
                     const AlignSettings& settings, Scheduler& scheduler,
                     NewickNotes* notes = nullptr);

}  // namespace accord
