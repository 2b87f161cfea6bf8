// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tools/trim_alignment.hpp"

namespace accord {

/// Formats the HTML page of a trimmed alignment, `losses`. The page shows the kept rows with all
/// columns; the removed columns are faded. `label` names the alignment in the title.
/// `is_confidence_of_trim`: whether `accord trim` without options would compute the confidence that
/// the alignment has.
std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim);

}  // namespace accord
