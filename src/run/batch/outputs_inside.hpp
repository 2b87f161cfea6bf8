// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "run/batch/batch_list.hpp"

namespace accord {

/// Refuses families whose output would lie outside the directory of the alignments, since OUT of a
/// manifest is an absolute path or goes up by "..": a manifest from elsewhere could otherwise
/// overwrite any file.
/// Throws  Error{bad_input}, with a hint at the option that allows such outputs.
void check_outputs_inside(const std::vector<BatchFamily>& families);

}  // namespace accord
