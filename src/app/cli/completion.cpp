// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help.hpp"

namespace accord {
namespace {

/// A text for a script in single quotes: a quote ends the string, stands alone, and begins it anew.
std::string in_quotes(const std::string& text, const std::string& quote) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += quote;
    } else {
      result += c;
    }
  }
  return result + "'";
}

/// The text of an option in a list: its short text, or the first part of the long one.
std::string brief_of(const OptionSpec& option) {
  const std::string& text = option.brief.empty() ? option.help : option.brief;
  return text.substr(0, text.find_first_of(";("));
}

std::string words_of(const Command& command) {
  std::string words = "--help";
  for (const OptionSpec& option : command.options) words += " --" + option.name;
  return words;
}

/// The topics of `accord help`, with blanks between them.
std::string topics_of(const std::vector<Command>& commands) {
  std::string words;
  for (const std::string& topic : help_topics(commands))
    words += (words.empty() ? "" : " ") + topic;
  return words;
}

constexpr const char* kHelpSummary = "explain a command, or a topic";

std::string bash_script(const std::vector<Command>& commands) {
  std::string names = "help", cases = "help", options;
  for (const Command& command : commands) {
    names += " " + command.name;
    cases += "|" + command.name;
    options += "    " + command.name + ") words='" + words_of(command) + "' ;;\n";
  }
  return "# bash completion for accord, made by 'accord help completion-bash'\n"
         "_accord() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} command=" +
         commands.front().name +
         " word words=\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case $word in\n"
         "      " +
         cases +
         ") command=$word; break ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n" +
         options +
         "  esac\n"
         "  COMPREPLY=()\n"
         "  if [[ $current == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  elif [[ $command == help ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '" +
         topics_of(commands) +
         "' -- \"$current\")\n"
         "  else\n"
         "    [[ $COMP_CWORD -gt 1 ]] ||\n"
         "      mapfile -t COMPREPLY < <(compgen -W '" +
         names +
         "' -- \"$current\")\n"
         "    compopt -o default\n"
         "  fi\n"
         "}\n"
         "complete -F _accord accord\n";
}

std::string zsh_script(const std::vector<Command>& commands) {
  // In a description of _arguments brackets and colons have a meaning.
  const auto plain = [](std::string text) {
    for (char& c : text) {
      if (c == '[') c = '(';
      if (c == ']') c = ')';
      if (c == ':') c = ',';
    }
    return text;
  };
  std::string names = std::string("    'help:") + kHelpSummary + "'\n";
  std::string cases = "    help) compadd " + topics_of(commands) + " ;;\n";
  for (const Command& command : commands) {
    names += "    " + in_quotes(command.name + ":" + plain(command.summary), "'\\''") + "\n";
    cases += "    " + command.name + ")\n      _arguments -s \\\n";
    for (const OptionSpec& option : command.options) {
      std::string rest(1, '[');
      rest.append(plain(brief_of(option))).append("]");
      if (!option.value.empty()) rest.append(":").append(option.value).append(":_files");
      cases += "        ";
      if (option.letter != 0) cases.append("{-").append(1, option.letter).append(",");
      cases.append("--").append(option.name).append(option.letter != 0 ? "}" : "");
      cases.append(in_quotes(rest, "'\\''")).append(" \\\n");
    }
    cases += "        '*:file:_files' ;;\n";
  }
  return "#compdef accord\n"
         "# zsh completion for accord, made by 'accord help completion-zsh'\n"
         "_accord() {\n"
         "  local command=" +
         commands.front().name +
         " word\n"
         "  local -a commands=(\n" +
         names +
         "  )\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    if (( ${commands[(I)$word:*]} )); then command=$word; break; fi\n"
         "  done\n"
         "  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
         "    _describe command commands\n"
         "    _files\n"
         "    return\n"
         "  fi\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_accord \"$@\"\n";
}

std::string fish_script(const std::vector<Command>& commands) {
  std::string text = "# fish completion for accord, made by 'accord help completion-fish'\n";
  std::string names;
  for (const Command& command : commands) names += " " + command.name;
  text += std::string("complete -c accord -n '__fish_use_subcommand' -a help -d '") + kHelpSummary +
          "'\ncomplete -c accord -f -n '__fish_seen_subcommand_from help' -a '" +
          topics_of(commands) + "'\n";
  for (const Command& command : commands) {
    text += "complete -c accord -n '__fish_use_subcommand' -a " + command.name + " -d " +
            in_quotes(command.summary, "\\'") + "\n";
    const bool is_default = &command == &commands.front();
    const std::string when = is_default
                                 ? "'not __fish_seen_subcommand_from help" + names +
                                       "; or __fish_seen_subcommand_from " + command.name + "'"
                                 : "'__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionSpec& option : command.options) {
      text += "complete -c accord -n " + when + " -l " + option.name;
      if (option.letter != 0) text += std::string(" -s ") + option.letter;
      if (!option.value.empty()) text += " -r";
      text += " -d " + in_quotes(brief_of(option), "\\'") + "\n";
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> completion_script(const std::string& shell,
                                             const std::vector<Command>& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  return std::nullopt;
}

}  // namespace accord
