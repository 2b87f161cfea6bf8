// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of `accord align`.
struct AlignOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

}  // namespace accord
