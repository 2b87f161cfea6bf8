// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// Every command of the program, in the order of the help: those of the aligner, and what other
/// libraries that this build has add to them. A new command of the aligner is a function in
/// src/app/commands/ and a line in commands.cpp.
std::vector<Command> all_commands();

}  // namespace accord
