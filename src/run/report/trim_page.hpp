// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tools/trim_alignment.hpp"

namespace accord {

/// The page (HTML) of an alignment that was trimmed, with all of its columns; those that went are
/// faded. `label` names the alignment, `is_confidence_of_trim` as PageParts has it.
std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim);

}  // namespace accord
