// SPDX-License-Identifier: Apache-2.0
// The tracks of the families of a batch.
#pragma once
#include <string>
#include <vector>

#include "io/families/family_reader.hpp"
#include "method/method_options.hpp"
#include "run/batch/batch_list.hpp"

namespace accord {

/// Refuses tracks that no family of the batch could use. `source` has what all families share.
/// Throws  Error{usage} for one file of tracks for all families, for tracks without a table, for a
///         table or a weight without tracks, and for tracks in a local mode.
void check_tracks(const std::vector<BatchFamily>& families, const FamilySource& source,
                  const MethodOptions& method);

/// The source of one family: its input, and its tracks in place of those of the batch.
/// Throws  as set_tracks.
FamilySource source_of(const BatchFamily& family, const FamilySource& shared);

/// Takes the table, and the weight unless an input is a structure, out of a source without tracks,
/// since other families of the batch need them.
void leave_out_unused(FamilySource& source, const std::vector<InputText>& inputs);

/// The text_hash of everything that the files of a family decide: their texts, the tracks, and, of
/// structures, the names and the chains.
std::string hash_of(const FamilySource& source, const std::vector<InputText>& inputs);

}  // namespace accord
