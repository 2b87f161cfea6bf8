// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>

#include <array>

#include "base/runtime_settings.hpp"

namespace accord {

void settle_runtime(char** /*argv*/) {
  // Bytes are read and written as they are, so that outputs are those of other systems.
  _fmode = _O_BINARY;
  for (const int stream : std::array{0, 1, 2}) ::_setmode(stream, _O_BINARY);
}

}  // namespace accord
