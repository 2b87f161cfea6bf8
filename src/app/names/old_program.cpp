// SPDX-License-Identifier: Apache-2.0
#include "app/names/old_program.hpp"

#include <algorithm>
#include <cstring>

#include "accord/base/error.hpp"
#include "app/cli/help.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    words.emplace_back(word);
  }
  return words;
}

bool is_spelled(const OldOption& option, std::string_view word) {
  const std::vector<std::string> spellings = words_of(option.spellings);
  return std::ranges::find(spellings, word) != spellings.end();
}

const OldOption* find_option(const OldProgram& program, std::string_view word) {
  const auto at = std::ranges::find_if(
      program.options, [&](const OldOption& option) { return is_spelled(option, word); });
  return at == program.options.end() ? nullptr : &*at;
}

/// An argument as the table has it: the option, and the value that is joined to it.
struct Word {
  const OldOption* option = nullptr;
  std::string spelling;
  bool has_value = false;
  std::string value = {};
};

Word read_word(const OldProgram& program, const std::string& argument) {
  Word word{find_option(program, argument), argument};
  if (word.option != nullptr || !program.takes_joined_values) return word;
  constexpr std::size_t kLetter = 2;  // a dash and a letter
  const bool is_long = argument.starts_with("--");
  const std::size_t end = is_long ? argument.find('=') : kLetter;
  if (end == argument.npos || argument.size() <= end) return word;
  const OldOption* const option = find_option(program, argument.substr(0, end));
  if (option == nullptr || option->value.empty()) return word;
  return {option, argument.substr(0, end), true, argument.substr(is_long ? end + 1 : end)};
}

[[noreturn]] void refuse_unknown(const OldProgram& program, const std::string& name,
                                 const std::string& argument) {
  std::vector<std::string> known;
  for (const OldOption& option : program.options) append(known, words_of(option.spellings));
  const std::string meant = meant_word(argument, known);
  throw Error(ErrorKind::usage, name + ": no option '" + argument + "' that accord knows",
              (meant.empty() ? "" : "did you mean " + meant + "? ") + "'accord as " + name +
                  " --help' lists the options");
}

}  // namespace

const std::string* OldCall::value(std::string_view name) const {
  const std::string* found = nullptr;
  for (const GivenOption& given : options) {
    if (words_of(given.option->spellings).front() == name) found = &given.value;
  }
  return found;
}

std::vector<std::string> OldCall::words() const {
  std::vector<std::string> all;
  for (const auto& [option, spelling, value] : options) {
    if (option->fate != OptionFate::becomes || option->is_read) continue;
    for (std::string& word : words_of(option->accord))
      all.push_back(word == "VALUE" ? value : word);
  }
  return all;
}

std::string OldCall::only_file(bool default_stdin) const {
  if (files.size() == 1) return files.front();
  if (files.empty() && default_stdin) return "-";
  throw Error(ErrorKind::usage,
              files.empty() ? name + ": no input" : name + ": unexpected file '" + files[1] + "'",
              "'accord as " + name + " --help' shows the command line");
}

StepFile::StepFile()
    : file_(std::make_unique<TemporaryFile>(joined_path(private_temporary_directory(), "step"))) {
  if (file_->error() == 0) return;
  throw Error(ErrorKind::cannot_create,
              std::string("cannot create a temporary file: ") + std::strerror(file_->error()),
              "set TMPDIR to a directory in which you may create files");
}

const std::vector<OldProgram>& old_programs() {
  static const std::vector<OldProgram> programs = {
      mafft_program(), muscle5_program(), muscle3_program(), clustalo_program(),
      famsa_program(), kalign_program(),  probcons_program()};
  return programs;
}

std::string names_of_programs() {
  std::string text;
  for (const OldProgram& program : old_programs()) {
    for (const std::string_view name : program.names) {
      text.append(text.empty() ? "" : ", ").append(name);
    }
  }
  return text;
}

const OldProgram& program_of(const std::string& name, const std::vector<std::string>& arguments) {
  const auto named = [](std::string_view wanted) -> const OldProgram* {
    for (const OldProgram& program : old_programs()) {
      if (std::ranges::find(program.names, wanted) != program.names.end()) return &program;
    }
    return nullptr;
  };
  const OldProgram* const program = named(name);
  if (program == nullptr) {
    throw Error(ErrorKind::usage, "as " + name + ": no program of this name",
                "use " + names_of_programs());
  }
  if (name != "muscle") return *program;
  const OldProgram& third = *named("muscle3");
  const bool is_fifth = std::ranges::any_of(arguments, [&](const std::string& word) {
    return word == "-h" || word == "--help" ||
           (find_option(*program, word) != nullptr && find_option(third, word) == nullptr);
  });
  return is_fifth ? *program : third;
}

OldCall read_old_call(const OldProgram& program, const std::string& name,
                      const std::vector<std::string>& arguments) {
  OldCall call{name, {}, {}};
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument.size() < 2 || argument.front() != '-') {
      call.files.push_back(argument);
      continue;
    }
    Word word = read_word(program, argument);
    if (word.option == nullptr) refuse_unknown(program, name, argument);
    const OldOption& option = *word.option;
    if (option.fate == OptionFate::refused) {
      refuse_option(name + ": " + word.spelling, "accord does not do this",
                    std::string(option.accord));
    }
    if (!option.value.empty() && !word.has_value) {
      if (++at == arguments.size()) {
        throw Error(ErrorKind::usage, name + ": " + argument + " without its value",
                    argument + " " + std::string(option.value));
      }
      word.value = arguments[at];
    }
    call.options.push_back({&option, std::move(word.spelling), std::move(word.value)});
  }
  return call;
}

std::vector<std::string> command_line(std::string name, const std::vector<std::string>& options,
                                      const std::vector<std::string>& files) {
  std::vector<std::string> line = {std::move(name)};
  append(line, options);
  line.emplace_back("--");
  append(line, files);
  return line;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

void refuse_option(const std::string& option, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::usage, option + ": " + why, hint);
}

std::string help_of(const OldProgram& program) {
  std::string text =
      "usage: accord as " + std::string(program.name) + " " + std::string(program.usage) + "\n";
  if (program.names.size() > 1) {
    std::string names;
    for (const std::string_view name : program.names) {
      names.append(names.empty() ? "" : ", ").append(name);
    }
    text += two_columns("", "names: " + names, 0);
  }
  text += "\n" + two_columns("", std::string(program.differences), 0) + "\noptions:\n";
  for (const OldOption& option : program.options) {
    std::string names(option.spellings);
    std::string meaning(option.meaning);
    switch (option.fate) {
      case OptionFate::becomes:
        meaning += "; becomes: ";
        break;
      case OptionFate::nothing:
        meaning += "; no effect: ";
        break;
      case OptionFate::refused:
        meaning += "; refused: ";
        break;
    }
    constexpr std::size_t kIndent = 27;
    if (!option.value.empty()) names.append(" ").append(option.value);
    meaning.append(option.accord);
    if (names.size() + 4 > kIndent) {
      text += two_columns("", names, 2) + two_columns("", meaning, kIndent);
    } else {
      text += two_columns("  " + names, meaning, kIndent);
    }
  }
  return text;
}

}  // namespace accord
