// SPDX-License-Identifier: Apache-2.0
// Aligns a large family by several processes: one process makes the core, each process places a
// shard of the other sequences in the core, and one joins the parts.
#pragma once
#include <string>
#include <vector>

#include "io/families/family_reader.hpp"
#include "io/families/family_shards.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_list.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

/// Selects the backbone of a large family and aligns it as its core. `method`: the options of the
/// family's settings, in the JSON of format_method(). The caller writes the result to a file.
/// Throws  Error{out_of_memory} if the core does not fit the memory budget; Error{usage} for a
///         guide tree from a file; as align_core.
CoreFile core(const PreparedFamily& family, const std::string& method, const RunContext& context);

/// The settings that a core was aligned with; `path` names its file in messages.
/// Throws  as parse_method; Error{bad_input} if this program has other parameters for the same
///         options.
AlignSettings settings_of_core(const CoreFile& core, const std::string& path);

/// Reads a family, and places a shard of its sequences in the core. `core_path`: the file of the
/// core; `family`: the files of the family, with the reading options of the core; `path`: the path
/// of the part, which the caller writes.
/// Throws  Error{bad_input} if the core is of another family, or the members of the core are out of
///         order; Error{out_of_memory} if the placing does not fit the memory budget; as
///         settings_of_core and place_in_core.
PartFile place_shard(const CoreFile& core, const std::string& core_path, const FamilySource& family,
                     const Shard& shard, const std::string& path, const RunContext& context);

/// The alignment of a family that was placed in shards.
struct JoinedFamily {
  PreparedFamily family;  ///< its files are the core and the parts
  AlignResult aligned;
};

/// Makes the alignment of a family from its core and all of its parts. `core_path` names the core
/// in messages. `parts`: the paths of the files of the parts, in any order. `has_confidence`: also
/// computes the confidence; the core must have been made with it.
/// Throws  Error{bad_input} if a part is missing or is not of this core; Error{out_of_memory} if
///         the alignment does not fit the memory budget; as settings_of_core and join_placed.
JoinedFamily join(CoreFile core, const std::string& core_path,
                  const std::vector<std::string>& parts, bool has_confidence,
                  const RunContext& context);

}  // namespace accord::run
