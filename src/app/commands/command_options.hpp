// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of `accord align`: the input, the resources and the messages (RunOptions), the
/// output files, and the options of the method that the user has set.
struct AlignOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

}  // namespace accord
