// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "app/cli/run_setup.hpp"
#include "core/confidence.hpp"
#include "io/aligned_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// The confidence of the columns of an alignment that are `kept`; the others have no residues.
/// Throws  Error{out_of_memory} if that does not fit the budget; what the scheduler throws.
Confidence confidence_of(const AlignedFamily& aligned, const std::vector<bool>& kept,
                         const MethodOptions& method, std::optional<std::size_t> budget,
                         Computation& computation);

}  // namespace accord
