// SPDX-License-Identifier: Apache-2.0
#include "base/shared_library.hpp"

namespace accord {

std::vector<std::string> shared_library_names(const std::string& name) {
  return {"/System/Library/Frameworks/" + name + ".framework/" + name};
}

}  // namespace accord
