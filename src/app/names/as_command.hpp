// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// `accord as NAME ARGS...`: does what the program NAME does with these arguments. `make_commands`
/// returns the commands of accord, which this command runs.
Command as_command(std::vector<Command> (*make_commands)());

}  // namespace accord
