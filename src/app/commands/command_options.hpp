// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// What `accord align` is asked for.
struct AlignOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

}  // namespace accord
