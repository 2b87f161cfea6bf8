// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tools/trim_alignment.hpp"

namespace accord {

/// The HTML page of a trimmed alignment, with all columns; the removed columns are faded. `label`
/// names the alignment; `is_confidence_of_trim`: see PageParts.
std::string page_of_losses(const std::string& label, const TrimmedAlignment& losses,
                           bool is_confidence_of_trim);

}  // namespace accord
