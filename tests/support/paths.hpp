// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// The directory of the repository, and that of the build. Functions rather than macros, so that
/// the other files of the tests compile to the same in every checkout.
std::string source_dir();
std::string binary_dir();

}  // namespace accord
