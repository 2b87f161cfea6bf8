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

/// What the value "-" of an option that takes a file stands for.
enum class Dash {
  output,  ///< standard output
  input,   ///< standard input
  nothing  ///< it is refused: a directory, or a file that is kept open
};

/// One option. The parser, the help, the manual page and the shell completion all read this.
struct OptionSpec {
  std::string name = {};  ///< long name, without the dashes
  char letter = 0;        ///< short name; 0 if there is none
  /// What its value is called, "FILE"; empty for an option without a value. Values of words, such
  /// as FORMAT, come in small letters, however they stand on the line; none is empty.
  std::string value = {};
  std::string help = {};  ///< what it does, in a sentence; with the default
  OptionTopic topic = OptionTopic::input;
  bool repeatable = false;  ///< may stand on the line more than once
  bool common = false;      ///< shown by `accord --help`
  std::string brief = {};   ///< what `accord --help` says instead of `help`, to fit a line
  bool is_file = false;     ///< its value is one of the files of the line; it has no setter
  Dash dash = Dash::output;

  /// Called with the value ("" if it has none), in the order of the command line.
  /// Throws  Error{usage} if the value makes no sense.
  std::function<void(const std::string& value)> set = {};
};

using OptionTable = std::vector<OptionSpec>;

/// One command of the program: what it is called, what it accepts, what it does.
///
/// A command owns the values that its options set; copies share them, so that one object is good
/// for one command line.
struct Command {
  static constexpr std::size_t kAnyNumber = SIZE_MAX;
  std::string name = {};
  std::string arguments = {};    ///< of the usage line: "IN", "TEST REF"
  std::string summary = {};      ///< for the list of commands, a few words
  std::string description = {};  ///< for `accord help NAME`: paragraphs, an empty line between them
  std::size_t least_files = 0;
  std::size_t most_files = 0;      ///< kAnyNumber: no limit
  bool reads_directories = false;  ///< a file of the line may be a directory
  OptionTable options = {};
  std::function<void(const std::vector<std::string>& files)> run = {};
};

/// Reads the arguments of a command, calls the setters, and returns the files in their order.
/// `has_command_word` says that the first word that is no option is the name of the command.
/// `--help` and `--version` are not known here.
/// Throws  Error{usage}, with a hint.
std::vector<std::string> parse_arguments(const Command& command,
                                         const std::vector<std::string>& arguments,
                                         bool has_command_word = false);

/// Runs the program: finds the command, reads its arguments, runs it; help and version as well.
/// `commands` are in the order of the help; the first is the one that needs no word. `arguments`
/// are those after the name of the program.
/// Throws  Error{usage}, and what the command throws.
void run_command_line(const std::vector<Command>& commands,
                      const std::vector<std::string>& arguments);

}  // namespace accord
