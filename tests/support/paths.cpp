// SPDX-License-Identifier: Apache-2.0
#include "support/paths.hpp"

namespace accord {

std::string source_dir() { return ACCORD_SOURCE_DIR; }
std::string binary_dir() { return ACCORD_BINARY_DIR; }

}  // namespace accord
