// SPDX-License-Identifier: Apache-2.0
#include "base/shared_library.hpp"

namespace accord {

std::vector<std::string> shared_library_names(const std::string& name) {
  const std::string file = "lib" + name + ".so";
  return {file + ".1", file};  // the second is for those who compile with it
}

}  // namespace accord
