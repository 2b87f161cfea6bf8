// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/cli/help.hpp"

namespace accord {
namespace {

/// A text as roff: dashes are minus signs, and no line begins with a control character.
std::string roff(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-') {
      result += "\\-";
    } else if (c == '\\') {
      result += "\\e";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
  }
  return result;
}

/// Paragraphs, with empty lines between them, as roff.
std::string paragraphs(const std::string& text) {
  std::string result = roff(text);
  for (std::size_t at = result.find("\n\n"); at != result.npos; at = result.find("\n\n", at)) {
    result.replace(at, 2, "\n.PP\n");
  }
  return result;
}

std::string option_entry(const OptionSpec& option) {
  std::string text = ".TP\n.B ";
  if (option.letter != 0) text += roff(std::string("-") + option.letter) + ", ";
  text += roff("--" + option.name);
  if (!option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
  return text + "\n" + roff(option.help) + "\n";
}

/// Lines of a help text without indentation, unchanged: they are as wide as a terminal.
std::string as_it_stands(const std::string& text) {
  return ".nf\n.in 0\n" + roff(text) + ".in\n.fi\n";
}

/// as_it_stands() of the lines below the first.
std::string table_of(const std::string& text) {
  return as_it_stands(text.substr(text.find('\n') + 1));
}

/// Options of two commands are the same option if these texts are equal.
using OptionText = std::tuple<OptionTopic, std::string, std::string, std::string>;
OptionText text_of(const OptionSpec& option) {
  return {option.topic, option.name, option.value, option.help};
}

/// The options that several commands have, each once.
struct SharedOptions {
  explicit SharedOptions(const std::vector<Command>& commands) {
    std::map<OptionText, int> uses;
    for (const Command& command : commands)
      for (const OptionSpec& option : command.options) ++uses[text_of(option)];
    for (const Command& command : commands) {
      for (const OptionSpec& option : command.options) {
        if (uses[text_of(option)] < 2 || !texts.insert(text_of(option)).second) continue;
        options.push_back(option);
      }
    }
  }

  OptionTable options;  ///< in the order in which the commands have them
  std::set<OptionText> texts;
};

std::string command_entry(const Command& command, const SharedOptions& shared) {
  std::string text = ".SS accord " + roff(command.name + " " + command.arguments) + "\n" +
                     paragraphs(command.description);
  std::string others;
  for (const OptionSpec& option : command.options) {
    if (shared.texts.contains(text_of(option))) {
      others += (others.empty() ? "" : ", ") + roff("--" + option.name);
    } else {
      text += option_entry(option);
    }
  }
  return text + (others.empty() ? "" : ".PP\nSee OPTIONS for " + others + ".\n");
}

}  // namespace

std::string manual_page(const std::vector<Command>& commands) {
  std::string text = ".TH ACCORD 1 \"\" \"accord " ACCORD_VERSION
                     "\" \"User Commands\"\n.SH NAME\naccord \\- accurate multiple sequence "
                     "alignment\n.SH SYNOPSIS\n.B accord\n[\\fICOMMAND\\fR] \\fIFILE\\fR... "
                     "[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n" +
                     roff(kPurpose) +
                     "\nWithout a command, align. "
                     "\\fB\\-\\-help\\fR explains a "
                     "command, \\fB\\-\\-version\\fR prints the version.\n";
  text += ".SH EXAMPLES\n";
  for (const Example& example : examples()) {
    text += ".TP\n.B " + roff(example.line) + "\n" + roff(example.meaning) + "\n";
  }
  const SharedOptions shared(commands);
  text += ".SH COMMANDS\n";
  for (const Command& command : commands) text += command_entry(command, shared);
  text += ".SH OPTIONS\nThose that several commands have.\n";
  for (const auto& [topic, title] :
       {std::pair{OptionTopic::input, "Input"}, std::pair{OptionTopic::output, "Output"},
        std::pair{OptionTopic::method, "Method"}, std::pair{OptionTopic::compute, "Compute"},
        std::pair{OptionTopic::messages, "Messages"}}) {
    text += std::string(".SS ") + title + "\n";
    for (const OptionSpec& option : shared.options) {
      if (option.topic == topic) text += option_entry(option);
    }
  }
  text += ".SH FORMATS\n" + as_it_stands(help_on("formats", commands));
  text += ".SH EXIT STATUS\n" + table_of(help_on("exit", commands));
  text += ".SH ENVIRONMENT\n" + table_of(help_on("environment", commands));
  text += ".SH SEE ALSO\n.BR mafft (1),\n.BR clustalo (1),\n.BR muscle (1),\n.BR hmmbuild (1)\n";
  return text;
}

}  // namespace accord
