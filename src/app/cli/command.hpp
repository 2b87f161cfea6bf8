// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace accord {

/// The group under which an option stands in the help.
enum class OptionTopic { input, output, method, compute, messages };

/// The meaning of the value "-" of an option that takes a file.
enum class Dash {
  output,  ///< standard output
  input,   ///< standard input
  nothing  ///< refused, since the option needs a directory, or a file that stays open
};

/// One option. The parser, the help, the manual page and the shell completion all read this.
struct OptionSpec {
  std::string name = {};  ///< long name, without the dashes
  char letter = 0;        ///< short name; 0 if there is none
  /// The word for its value in the help, "FILE"; empty for an option without a value. If the value
  /// is one of some words, such as FORMAT, `set` receives it in lower case. No value is empty.
  std::string value = {};
  std::string help = {};  ///< what it does, in a sentence; with the default
  OptionTopic topic = OptionTopic::input;
  bool repeatable = false;   ///< may stand on the line more than once
  bool common = false;       ///< shown by `accord --help`
  std::string brief = {};    ///< a shorter `help`, for the one line that `accord --help` has
  bool is_file = false;      ///< its value is an input file of the command; no `set`
  bool comes_first = false;  ///< set before the other options, wherever it stands on the line
  Dash dash = Dash::output;

  /// Called with the value ("" if it has none), in the order of the command line.
  /// Throws  Error{usage} if the value makes no sense.
  std::function<void(const std::string& value)> set = {};
};

using OptionTable = std::vector<OptionSpec>;

/// One command of the program: its name, its options and files, and its action.
///
/// A command owns the values that its options set. Copies of a command share the values, so that a
/// Command is used for one command line only.
struct Command {
  static constexpr std::size_t kAnyNumber = SIZE_MAX;
  std::string name = {};
  std::string arguments = {};    ///< of the usage line: "IN", "TEST REF"
  std::string summary = {};      ///< for the list of commands, a few words
  std::string description = {};  ///< for `accord help NAME`: paragraphs, an empty line between them
  std::size_t least_files = 0;
  std::size_t most_files = 0;      ///< kAnyNumber: no limit
  bool reads_directories = false;  ///< an input may be a directory
  /// `run` gets all words behind the name of the command as they stand, options included, and
  /// answers --help itself.
  bool takes_all_words = false;
  OptionTable options = {};
  std::function<void(const std::vector<std::string>& files)> run = {};
};

/// Reads the arguments of a command, calls the setters, and returns the files in their order.
/// `has_command_word`: the first argument that is no option is the name of the command, and no
/// file. `--help` and `--version` are unknown options here. The function does not check the number
/// of files; run_command_line() does.
/// Throws  Error{usage}, with a hint.
std::vector<std::string> parse_arguments(const Command& command,
                                         const std::vector<std::string>& arguments,
                                         bool has_command_word = false);

/// Runs the program: finds the command, reads its arguments and runs it, or prints help or the
/// version. `commands` are in the order of the help; the name of the first command may be left out
/// on a command line. `arguments`: the words after the name of the program.
/// Throws  Error{usage}, and what the command throws.
void run_command_line(const std::vector<Command>& commands,
                      const std::vector<std::string>& arguments);

}  // namespace accord
