// SPDX-License-Identifier: Apache-2.0
#include "base/runtime_settings.hpp"

namespace accord {

void settle_runtime(char** /*argv*/) {}  // the settings are those of GNU's libraries

}  // namespace accord
