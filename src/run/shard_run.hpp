// SPDX-License-Identifier: Apache-2.0
// A large family that several processes align: one makes the core, each places a shard of the other
// sequences in it, and one joins the parts.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/family_reader.hpp"
#include "io/family_shards.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_list.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Aligns the core of a large family, `backbone` of its sequences. `method` is the text of the
/// options that made the settings, see format_method.
/// Throws  Error{out_of_memory} if that does not fit the memory budget; as align_core.
CoreFile core(const FamilyInput& input, std::size_t backbone, const AlignSettings& settings,
              const std::string& method, const RunContext& context);

/// The settings that a core was aligned with; `path` is its file.
/// Throws  as parse_method; Error{bad_input} if this program aligns otherwise.
AlignSettings settings_of_core(const CoreFile& core, const std::string& path);

/// Reads the family of `core`, and places a shard of its sequences in the core. `core_path` is the
/// file of the core, `family` the files of the family with how the core says that they are read,
/// `path` where the part is to be written.
/// Throws  Error{bad_input} if it is another family, or the members of the core are out of order;
///         Error{out_of_memory} if the placing does not fit the memory budget; as
///         settings_of_core and place_in_core.
PartFile place_shard(const CoreFile& core, const std::string& core_path, const FamilySource& family,
                     const Shard& shard, const std::string& path, const RunContext& context);

/// The alignment of a family in shards.
struct JoinedFamily {
  FamilyInput input;  ///< the family; its files are the core and the parts
  AlignSettings settings;
  AlignResult aligned;
};

/// Makes the alignment of a family from its core and from all of its parts, whose files these are.
/// `has_confidence` asks for the confidence, which the core must have.
/// Throws  Error{bad_input} if a part is missing or is not of this core; Error{out_of_memory} if
///         the alignment does not fit the memory budget; as settings_of_core and join_placed.
JoinedFamily join(CoreFile core, const std::string& core_path,
                  const std::vector<std::string>& parts, bool has_confidence,
                  const RunContext& context);

}  // namespace accord::run
