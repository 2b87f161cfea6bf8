// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// The script by which a shell (bash, zsh, fish) completes the command line of accord, made from
/// the tables of the commands; no value for another shell.
std::optional<std::string> completion_script(const std::string& shell,
                                             const std::vector<Command>& commands);

}  // namespace accord
