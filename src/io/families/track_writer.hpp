// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "io/families/track_reader.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The tracks of an alignment as rows: the columns and the names of the alignment, with the letter
/// of the track in place of each residue, `?` where the track is not known. The rows are in input
/// order, or in that of the leaves of `order` if it is not null.
/// Throws  as make_alignment_text.
AlignmentText track_rows(const SequenceSet& set, const Msa& msa, const GuideTree* order = nullptr);

/// The tag of lines of markup with the tracks of a source: that of the lines from which the tracks
/// were read; else SS for secondary structures, and the name of a built-in table, or TR, for
/// others.
std::string track_tag(const TrackSource& source);

/// Adds the tracks of an alignment to its markup, as lines `#=GR NAME TAG`. Rows without a track,
/// and rows that have such a line, get none. `text` is the alignment `msa` of `set`, in input
/// order, or in that of the leaves of `order` if it is not null.
void add_track_lines(AlignmentText& text, const SequenceSet& set, const Msa& msa,
                     const std::string& tag, const GuideTree* order = nullptr);

}  // namespace accord
