// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// The purpose of accord, in a sentence.
inline constexpr const char* kPurpose =
    "accord aligns families of protein, RNA or DNA sequences, and says how sure it is of every "
    "column and residue.";

/// A command line, as an example of a task.
struct Example {
  const char* line;              ///< the command line
  const char* meaning;           ///< the task, in a few words
  const char* option = nullptr;  ///< an option of the line that some builds lack; null: none
};

/// Returns the examples of `accord help examples`, the manual page and README, one for each task.
/// Leaves out an example with an option that no command of `commands` has.
std::vector<Example> examples(const std::vector<Command>& commands);

/// The text of `accord --help`: the commands and the common options, on one screen.
std::string short_help(const std::vector<Command>& commands);

/// The words that `accord help` takes: the commands, the groups of options, and other topics.
std::vector<std::string> help_topics(const std::vector<Command>& commands);

/// The text of `accord help TOPIC`, for one of help_topics().
/// Throws  Error{usage} for another word; the hint lists the topics.
std::string help_on(const std::string& topic, const std::vector<Command>& commands);

/// The manual page (roff, section 1): every command with all its options, exit codes, environment.
std::string manual_page(const std::vector<Command>& commands);

}  // namespace accord
