// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The tracks of an alignment as rows: the columns and the names of the alignment, with the letter
/// of the track in place of each residue, `?` where the track is not known. The rows are in input
/// order, or in that of the leaves of `order` if it is not null.
/// Throws  as make_alignment_text.
AlignmentText track_rows(const SequenceSet& set, const Msa& msa, const GuideTree* order = nullptr);

}  // namespace accord
