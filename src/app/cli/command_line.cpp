// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <filesystem>
#include <set>
#include <system_error>

#include "accord/base/error.hpp"
#include "app/cli/command.hpp"
#include "app/cli/help.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/suggestions.hpp"
#include "io/files/output_file.hpp"

namespace accord {
namespace {

namespace po = boost::program_options;

constexpr const char* kSeeHelp = "try 'accord --help'";

bool asks_for(const std::vector<std::string>& arguments, const std::string& name,
              const std::string& letter) {
  // What follows "--" is a file, whatever it looks like.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, name) != end ||
         (!letter.empty() && std::find(arguments.begin(), end, letter) != end);
}

po::options_description description_of(const OptionTable& table) {
  po::options_description description;
  for (const OptionSpec& option : table) {
    const std::string names = option.letter == 0 ? option.name : option.name + "," + option.letter;
    if (option.value.empty()) {
      description.add_options()(names.c_str(), "");
    } else {
      description.add_options()(names.c_str(), po::value<std::string>(), "");
    }
  }
  return description;
}

/// Refuses an empty name of a file or directory, or another empty value; `what` is where it stands.
void check_not_empty(const std::string& what, const std::string& text, bool is_name) {
  if (is_name ? !text.empty() : text.find_first_not_of(" \t") != text.npos) return;
  throw Error(ErrorKind::usage, what + (is_name ? ": the name is empty" : ": the value is empty"),
              std::string("is a variable of the script not set?") +
                  (is_name ? " '-' is standard input or output" : ""));
}

/// The options and files in the order of the line.
std::vector<po::option> parse_words(const Command& command,
                                    const std::vector<std::string>& arguments) {
  po::options_description all = description_of(command.options);
  all.add_options()("file", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("file", -1);
  try {
    // No abbreviated long options: a script must not change its meaning when an option is added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    return po::command_line_parser(arguments)
        .options(all)
        .positional(positional)
        .style(style)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    std::vector<std::string> names = {"help", "version"};
    for (const OptionSpec& option : command.options) names.push_back(option.name);
    const std::string word = name.substr(name.find_first_not_of('-'));
    const std::string near = meant_word(word, names);
    const std::string meant = near.empty() ? contained_word(word, names) : near;
    throw Error(ErrorKind::usage, "accord " + command.name + " has no option '" + name + "'",
                (meant.empty() ? "" : "did you mean --" + meant + "? ") + "try 'accord " +
                    command.name + " --help'");
  } catch (const po::invalid_command_line_syntax& error) {
    if (error.kind() == po::invalid_command_line_syntax::empty_adjacent_parameter) {
      check_not_empty(error.get_option_name(), "", false);
    }
    throw Error(ErrorKind::usage, error.what(), "try 'accord " + command.name + " --help'");
  } catch (const po::error& error) {
    throw Error(ErrorKind::usage, error.what(), "try 'accord " + command.name + " --help'");
  }
}

/// Whether the value of an option is one of some words, which may be in letters of either case.
bool is_word(const OptionSpec& option) {
  constexpr std::array kWords = {"CASE",  "DEVICE", "FORMAT", "HOW",  "LIST", "METHOD", "MODE",
                                 "ORDER", "TIME",   "TYPE",   "WHAT", "WHEN", "WHICH"};
  return std::find(kWords.begin(), kWords.end(), option.value) != kWords.end();
}

/// The place of a command in the list; the size of the list if there is none of that name.
std::size_t find_command(const std::vector<Command>& commands, const std::string& name) {
  const auto at = std::find_if(commands.begin(), commands.end(),
                               [&](const Command& command) { return command.name == name; });
  return static_cast<std::size_t>(at - commands.begin());
}

/// The command of a line, by its place in the list.
struct CommandWord {
  std::size_t command = 0;
  bool is_on_line = false;  ///< else it was left out
};

/// The command of a line: its first word that is no option. Unless that is the very first word, the
/// line is read with the options of the first command, whose word may be left out.
CommandWord find_command_in(const std::vector<Command>& commands,
                            const std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    const std::size_t at = find_command(commands, arguments.front());
    if (at < commands.size()) return {at, true};
  }
  try {
    for (const po::option& option : parse_words(commands.front(), arguments)) {
      if (option.position_key < 0) continue;
      const std::size_t at = find_command(commands, option.value.front());
      if (at < commands.size()) return {at, true};
      break;
    }
  } catch (const Error& error) {
    // Options of another command stand on the line, and before its name others.
    for (const std::string& word : arguments) {
      if (find_command(commands, word) == commands.size()) continue;
      throw Error(error.kind(), error.what(), "the command comes first: 'accord " + word + " ...'");
    }
    throw;
  }
  return {};
}

/// Refuses a line whose first word, which is taken for a file, is none but nearly a command.
void check_no_command_meant(const std::vector<Command>& commands,
                            const std::vector<std::string>& files) {
  std::error_code error;
  if (files.empty() || files.front() == "-" || std::filesystem::exists(files.front(), error))
    return;
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands) names.push_back(command.name);
  const std::string meant = meant_word(files.front(), names);
  if (meant.empty()) return;
  throw Error(ErrorKind::usage,
              "'" + files.front() + "' is neither a command nor a file that is there",
              "did you mean 'accord " + meant + "'?");
}

void check_files(const Command& command, const std::vector<std::string>& files) {
  const std::string hint = "usage: accord " + command.name + " " + command.arguments +
                           "; try 'accord " + command.name + " --help'";
  if (files.size() < command.least_files) {
    const std::string count =
        command.least_files == 1 ? "an input file" : std::to_string(command.least_files) + " files";
    throw Error(ErrorKind::usage,
                files.empty() && command.least_files == 1 ? "no input file"
                                                          : command.name + " needs " + count,
                hint);
  }
  if (files.size() > command.most_files) {
    throw Error(ErrorKind::usage, "unexpected argument '" + files[command.most_files] + "'", hint);
  }
  if (command.most_files < Command::kAnyNumber) return;
  std::set<std::string> named;  // whatever path leads there
  for (const std::string& file : files) {
    const std::string identity = file == "-" ? file : file_identity(file);
    if (named.insert(identity.empty() ? file : identity).second) continue;
    throw Error(ErrorKind::usage, (file == "-" ? "stdin" : file) + " is named twice",
                "name each input once; several inputs are read as one family");
  }
}

}  // namespace

std::vector<std::string> parse_arguments(const Command& command,
                                         const std::vector<std::string>& arguments,
                                         bool has_command_word) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const po::option& word : parse_words(command, arguments)) {
    if (word.string_key == "file") {
      if (!has_command_word) {
        check_not_empty("input file", files.emplace_back(word.value.front()), true);
      }
      has_command_word = false;
      continue;
    }
    const auto option =
        std::find_if(command.options.begin(), command.options.end(),
                     [&](const OptionSpec& spec) { return spec.name == word.string_key; });
    if (!seen.insert(word.string_key).second && !option->repeatable) {
      throw Error(ErrorKind::usage, "--" + word.string_key + " is given more than once",
                  "keep one of them");
    }
    const std::string value = word.value.empty() ? "" : word.value.front();
    if (!option->value.empty()) {
      check_not_empty("--" + option->name, value,
                      option->value == "FILE" || option->value == "DIR");
    }
    if (option->is_file) {
      files.push_back(value);
      continue;
    }
    option->set(is_word(*option) ? lower_case(value) : value);
  }
  return files;
}

void run_command_line(const std::vector<std::string>& arguments) {
  const std::vector<Command> commands = all_commands();
  if (asks_for(arguments, "--version", "-V")) {
    return write_output("-", "accord " ACCORD_VERSION "\n");
  }
  if (!arguments.empty() && arguments.front() == "help") {
    if (arguments.size() == 2 && (arguments[1] == "-h" || arguments[1] == "--help")) {
      return write_output("-", short_help(commands));
    }
    if (arguments.size() > 2) {
      throw Error(ErrorKind::usage, "unexpected argument '" + arguments[2] + "'", kSeeHelp);
    }
    return write_output(
        "-", arguments.size() == 1 ? short_help(commands) : help_on(arguments[1], commands));
  }
  if (asks_for(arguments, "--help", "-h")) {
    const std::size_t at =
        arguments.empty() ? commands.size() : find_command(commands, arguments.front());
    return write_output(
        "-", at < commands.size() ? help_on(commands[at].name, commands) : short_help(commands));
  }
  const CommandWord found = find_command_in(commands, arguments);
  const Command& command = commands[found.command];
  const std::vector<std::string> files = parse_arguments(command, arguments, found.is_on_line);
  if (!found.is_on_line) check_no_command_meant(commands, files);
  check_files(command, files);
  command.run(files);
}

}  // namespace accord
