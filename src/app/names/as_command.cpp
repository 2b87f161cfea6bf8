// SPDX-License-Identifier: Apache-2.0
#include "app/names/as_command.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "accord/base/error.hpp"
#include "app/cli/failure_report.hpp"
#include "app/cli/help.hpp"
#include "app/cli/messages.hpp"
#include "app/names/old_program.hpp"
#include "base/log.hpp"
#include "io/files/output_file.hpp"

namespace accord {
namespace {

using Words = std::vector<std::string>;

bool has_one_of(const Words& words, const std::vector<std::string_view>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

/// One line about the options that change nothing.
void tell_of_no_effect(const OldCall& call) {
  std::string options;
  for (const auto& [option, spelling, value] : call.options) {
    if (option->fate != OptionFate::nothing) continue;
    options.append(" ").append(spelling);
    if (!option->value.empty()) options.append(" ").append(value);
  }
  if (options.empty()) return;
  log_notice(call.name + ": without effect here:" + options);
}

void run_as(std::vector<Command> (*make_commands)(), const Words& words) {
  set_failure_codes(1, 1);
  if (words.empty()) {
    throw Error(ErrorKind::usage, "as: no name of a program", "use " + names_of_programs());
  }
  const std::string& name = words.front();
  if (name == "--help" || name == "-h") return write_output("-", help_on("as", make_commands()));
  const Words arguments(words.begin() + 1, words.end());
  const OldProgram& program = program_of(name, arguments);
  set_failure_codes(1, program.failure_code);
  if (has_one_of(arguments, {"--help", "-h", "-help"})) return write_output("-", help_of(program));
  const bool asks_version =
      has_one_of(arguments, {"--version", "-version", "--long-version", "-V"}) ||
      (program.name == "kalign" && arguments == Words{"-v"});
  if (asks_version) {
    const std::string version = "accord " ACCORD_VERSION " in the place of " + name;
    return program.version_on_stderr ? print_line(version) : write_output("-", version + "\n");
  }
  const OldCall call = read_old_call(program, name, arguments);
  const CommandPlan plan = program.plan(call);
  const bool is_quiet = has_one_of(call.words(), {"-q"});
  if (!is_quiet) tell_of_no_effect(call);
  for (const Words& line : plan.commands) run_command_line(make_commands(), line);
}

}  // namespace

Command as_command(std::vector<Command> (*make_commands)()) {
  return {.name = "as",
          .arguments = "NAME ARGS...",
          .summary = "do what mafft, muscle, clustalo, ... would do",
          .description =
              "Takes the command line of another program, and does what it asks for: 'accord as "
              "mafft --auto IN > OUT'. Outputs have the form that the program gives them: names, "
              "order, case, width of lines, format. NAME is one of " +
              names_of_programs() +
              ".\n"
              "\n"
              "An option that accord cannot follow is an error that names it; options that only "
              "say how the other program computes are taken, and a line on stderr says so. 'accord "
              "as NAME --help' lists all options and what becomes of them.\n"
              "\n"
              "A failure ends with the code of that program, which is 1 (muscle 3: 2 for a bad "
              "input). Programs of these names are in libexec/accord/names/ where accord is "
              "installed: with this directory at the front of PATH, a pipeline calls accord.\n",
          .takes_all_words = true,
          .run = [make_commands](const Words& words) { run_as(make_commands, words); }};
}

}  // namespace accord
