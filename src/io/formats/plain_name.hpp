// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "core/sequence_set.hpp"

namespace accord {

/// The name of the k-th input sequence for formats whose fields are separated by white space:
/// white space and control characters become `_`; an empty name becomes `seqN`, N from 1.
std::string plain_name(const SequenceSet& set, std::size_t k);

}  // namespace accord
