// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// Every command of the program, in the order of the help: the commands of the aligner, extended by
/// the other libraries of this build. A new command of the aligner is a function in
/// src/app/commands/ and a line in commands.cpp.
std::vector<Command> all_commands();

}  // namespace accord
