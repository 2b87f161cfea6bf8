// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "io/family_shards.hpp"
#include "method/large/large_family.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_list.hpp"

namespace accord {

/// The core as it stands in a file. `places`: of each of its members, in canonical order.
CoreFile core_file(const FamilyInput& input, FamilyCore core, const std::string& method);

/// The settings that a core was aligned with.
/// Throws  as parse_method; Error{bad_input} if this program aligns otherwise.
AlignSettings settings_of(const CoreFile& core, const std::string& path);

/// The core of a file in a set that has its members, whose canonical indices these are.
/// Throws  Error{bad_input} if they are not in canonical order.
FamilyCore family_core(const CoreFile& core, std::vector<std::uint32_t> members,
                       const std::string& path);

/// `accord add --shard`: places a shard of a family in its core, the first of the files.
void add_shard(const RunOptions& options, const Shard& shard, const std::string& output);

}  // namespace accord
