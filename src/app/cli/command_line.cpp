// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cctype>
#include <set>

#include "accord/base/error.hpp"
#include "app/cli/command.hpp"
#include "app/cli/help.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/input_files.hpp"
#include "io/files/output_file.hpp"
#include "io/files/reading_memory.hpp"

namespace accord {
namespace {

namespace po = boost::program_options;

constexpr const char* kSeeHelp = "try 'accord --help'";

bool asks_for(const std::vector<std::string>& arguments, const std::string& name,
              const std::string& letter) {
  // An argument behind "--" is a file, whatever it looks like.
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

constexpr const char* kIsVariableSet = "is a variable of the script not set?";

/// The hint about an empty name of a file.
std::string hint_of_empty_name(Dash dash) {
  const char* rest = dash == Dash::input    ? " '-' is standard input"
                     : dash == Dash::output ? " '-' is standard output"
                                            : "";
  return std::string(kIsVariableSet) + rest;
}

/// Refuses an empty value, and "-" for an option that does not take it.
void check_value(const OptionSpec& option, const std::string& value) {
  const std::string name = "--" + option.name;
  const bool is_directory = option.value == "DIR";
  if (is_directory || option.value == "FILE") {
    if (value.empty()) {
      throw Error(ErrorKind::usage, name + ": the name is empty", hint_of_empty_name(option.dash));
    }
  } else if (value.find_first_not_of(" \t") == value.npos) {
    throw Error(ErrorKind::usage, name + ": the value is empty", kIsVariableSet);
  }
  if (value != "-" || option.dash != Dash::nothing) return;
  throw Error(
      ErrorKind::usage,
      name + " -: '-' stands for no " + (is_directory ? "directory" : "file") + " here",
      is_directory ? "name a directory" : "name a file; messages go to standard error, too");
}

/// The option with the same letter in either case, such as "-O (--out-dir)" for -o; empty if there
/// is none.
std::string option_of_other_case(const OptionTable& options, const std::string& letter) {
  if (letter.size() != 1) return {};
  const int given = std::tolower(static_cast<unsigned char>(letter.front()));
  for (const OptionSpec& option : options) {
    if (option.letter == 0 || std::tolower(static_cast<unsigned char>(option.letter)) != given)
      continue;
    return std::string("-") + option.letter + " (--" + option.name + ")";
  }
  return {};
}

/// The name of the option whose long name a word in small letters is, begins, or continues, such as
/// "out" for "output"; empty if there is none.
std::string long_option_of(const OptionTable& options, const std::string& word) {
  constexpr std::size_t kShortest = 3;  // shorter words are values: -or is the file r
  std::vector<std::string> names = {"help", "version"};
  for (const OptionSpec& option : options) names.push_back(option.name);
  std::string best;
  for (const std::string& name : names) {
    if (name == word) return name;
    const bool continues = name.size() >= kShortest && word.starts_with(name);
    const bool begins = word.size() >= kShortest && name.starts_with(word);
    if ((continues || begins) && name.size() > best.size()) best = name;
  }
  return best;
}

/// Refuses a word such as -out, the habit of other programs, which would be -o with the value "ut".
void check_no_long_option_meant(const Command& command, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (argument.size() < 3 || argument[0] != '-' || argument[1] == '-') continue;
    const bool is_short = std::ranges::any_of(
        command.options, [&](const OptionSpec& option) { return option.letter == argument[1]; });
    const std::string word = argument.substr(0, argument.find('='));
    const std::string meant = long_option_of(command.options, lower_case(word.substr(1)));
    if (meant.empty()) continue;
    const std::string letter = argument.substr(0, 2);
    throw Error(ErrorKind::usage,
                "'" + word + "' " +
                    (is_short ? "would be " + letter + " and its value '" + argument.substr(2) + "'"
                              : "is no option: long names have two hyphens"),
                "did you mean --" + meant + "?" +
                    (is_short ? " A value of that name needs a blank behind " + letter : ""));
  }
}

/// The options and files in the order of the line.
std::vector<po::option> parse_words(const Command& command,
                                    const std::vector<std::string>& arguments) {
  check_no_long_option_meant(command, arguments);
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
    const std::string far = near.empty() ? contained_word(word, names) : near;
    const std::string meant =
        far.empty() ? option_of_other_case(command.options, word) : "--" + far;
    throw Error(ErrorKind::usage, "accord " + command.name + " has no option '" + name + "'",
                (meant.empty() ? "" : "did you mean " + meant + "? ") + "try 'accord " +
                    command.name + " --help'");
  } catch (const po::invalid_command_line_syntax& error) {
    if (error.kind() == po::invalid_command_line_syntax::empty_adjacent_parameter) {
      throw Error(ErrorKind::usage, error.get_option_name() + ": the value is empty",
                  kIsVariableSet);
    }
    throw Error(ErrorKind::usage, error.what(), "try 'accord " + command.name + " --help'");
  } catch (const po::error& error) {
    throw Error(ErrorKind::usage, error.what(), "try 'accord " + command.name + " --help'");
  }
}

/// Whether the values of an option are words, which a user may write in letters of either case.
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

/// The command of a line: its first word that is no option. If the line begins with an option, it
/// is read with the options of the first command, whose name may be left out.
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
    // The line has options of another command, and they stand before the name of that command.
    for (const std::string& word : arguments) {
      if (find_command(commands, word) == commands.size()) continue;
      throw Error(error.kind(), error.what(), "the command comes first: 'accord " + word + " ...'");
    }
    throw;
  }
  return {};
}

/// Refuses a line whose first file does not exist and has nearly the name of a command.
void check_no_command_meant(const std::vector<Command>& commands,
                            const std::vector<std::string>& files) {
  if (files.empty() || files.front() == "-" || path_exists(files.front())) return;
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
        command.least_files == 1 ? "an input file" : counted(command.least_files, "file");
    throw Error(ErrorKind::usage,
                files.empty() && command.least_files == 1 ? "no input file"
                                                          : command.name + " needs " + count,
                hint);
  }
  if (files.size() > command.most_files) {
    throw Error(ErrorKind::usage, "unexpected argument '" + files[command.most_files] + "'", hint);
  }
  if (command.most_files < Command::kAnyNumber) return;
  std::set<std::string> named;  // identities, whichever path was named
  for (const std::string& file : files) {
    const std::string identity = file == "-" ? file : file_identity(file);
    if (named.insert(identity.empty() ? file : identity).second) continue;
    throw Error(ErrorKind::usage, (file == "-" ? "stdin" : file) + " is named twice",
                "name each input once");
  }
}

/// A text that a shell reads as one word.
std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+,:=@%-";
  if (text.find_first_not_of(kPlain) == text.npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Refuses directories among the files, unless the command reads them or they have structures.
void check_no_directory(const Command& command, const std::vector<std::string>& files) {
  if (command.reads_directories) return;
  for (const std::string& file : files) {
    if (file == "-" || !is_directory(file)) continue;
    if (is_structure_folder(file)) continue;
    throw Error(ErrorKind::no_input, "cannot read " + file + ": it is a directory",
                command.name == "align" ? "to align every FASTA file in it: accord batch " +
                                              shell_word(file) + " -O OUT"
                                        : "name the files in it");
  }
}

const OptionSpec& option_named(const Command& command, const std::string& name) {
  return *std::find_if(command.options.begin(), command.options.end(),
                       [&](const OptionSpec& option) { return option.name == name; });
}

/// Refuses a line that reads standard input twice.
void check_stdin_once(const Command& command, const std::vector<po::option>& words) {
  const auto reads_stdin = [&](const po::option& word) {
    if (word.value.empty() || word.value.front() != "-") return false;
    return word.string_key == "file" || option_named(command, word.string_key).dash == Dash::input;
  };
  if (std::count_if(words.begin(), words.end(), reads_stdin) < 2) return;
  throw Error(ErrorKind::usage, "stdin is named twice", "it can be read once: name files");
}

}  // namespace

std::vector<std::string> parse_arguments(const Command& command,
                                         const std::vector<std::string>& arguments,
                                         bool has_command_word) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  std::vector<po::option> words = parse_words(command, arguments);
  check_stdin_once(command, words);
  std::stable_partition(words.begin(), words.end(), [&](const po::option& word) {
    return word.string_key != "file" && option_named(command, word.string_key).comes_first;
  });
  for (const po::option& word : words) {
    if (word.string_key == "file") {
      if (!has_command_word && files.emplace_back(word.value.front()).empty()) {
        throw Error(ErrorKind::usage, "input file: the name is empty",
                    hint_of_empty_name(Dash::input));
      }
      has_command_word = false;
      continue;
    }
    const OptionSpec& option = option_named(command, word.string_key);
    if (!seen.insert(option.name).second && !option.repeatable) {
      throw Error(ErrorKind::usage, "--" + option.name + " is given more than once",
                  "keep one of them");
    }
    const std::string value = word.value.empty() ? "" : word.value.front();
    if (!option.value.empty()) check_value(option, value);
    if (option.is_file) {
      files.push_back(value);
      continue;
    }
    option.set(is_word(option) ? lower_case(value) : value);
  }
  return files;
}

void run_command_line(const std::vector<Command>& commands,
                      const std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    const std::size_t at = find_command(commands, arguments.front());
    if (at < commands.size() && commands[at].takes_all_words) {
      return commands[at].run({arguments.begin() + 1, arguments.end()});
    }
  }
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
  set_reading_limit(memory_of_environment());
  const CommandWord found = find_command_in(commands, arguments);
  const Command& command = commands[found.command];
  const std::vector<std::string> files = parse_arguments(command, arguments, found.is_on_line);
  if (!found.is_on_line) check_no_command_meant(commands, files);
  check_files(command, files);
  check_no_directory(command, files);
  command.run(files);
}

}  // namespace accord
