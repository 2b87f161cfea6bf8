// SPDX-License-Identifier: Apache-2.0
// The description of one option, the same for all interfaces. The command line, the C++ interface
// and the Python package make their options from a table of these fields.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accord {

/// The types of values of options, and the texts that give such a value.
enum class OptionType {
  flag,          ///< "true" or "false"; on a command line, the option alone means "true"
  count,         ///< a whole number
  word,          ///< one of the words of the option, in letters of either case
  word_or_file,  ///< one of these words, or the name of a file, which is not read here
  /// One of the words of the option, or a number. The value is the text: "auto", "0.5".
  word_or_number,
  numbers,  ///< two numbers with a comma between them: "11,1"
  file,     ///< the name of a file, which is read with the option
  size,     ///< a number of bytes, as parse_size() reads it
  time,     ///< "90" (seconds), "10m", "2h" or "1d"
  text      ///< any text that the check of the option takes
};

/// "flag", "count", "word", "word or file", "word or number", "numbers", "file", "size", "time" or
/// "text".
const char* to_string(OptionType type);

/// A file that an option names, as the file was when the option was read.
struct OptionFile {
  std::string name;
  std::string text;
};

/// The value of an option, by its type:
/// flag            bool
/// count           int
/// size, time      double: bytes, seconds
/// numbers         the two numbers
/// file            OptionFile
/// word            the word, in small letters
/// word_or_file    the word in small letters, or the name of the file
/// word_or_number  the word in small letters, or the text of the number
/// text            the text
using OptionValue = std::variant<bool, int, double, std::string, std::array<double, 2>, OptionFile>;

/// One option. Its help names other options in braces, as hints do (see base/text.hpp).
struct OptionField {
  std::string name = {};  ///< as a command line has it, without the dashes: "gap-costs"
  char letter = 0;        ///< its short name on a command line; 0 if there is none
  OptionType type = OptionType::flag;
  std::string value = {};               ///< what help calls the value: "N"; empty for a flag
  std::vector<std::string> words = {};  ///< the words that the value may be
  int least = 0;  ///< the smallest number that a count may have; `standard` may be smaller
  /// The text of the default value; empty if the default depends on other things, which the help
  /// explains.
  std::string standard = {};
  std::string help = {};   ///< what the option does, in a sentence; with the default
  std::string brief = {};  ///< the same for a list, to fit a line; empty: as help
  bool is_common = false;  ///< `accord --help` shows it
  /// Options that must be set as well for this option to have an effect, each with a text that
  /// gives it a value, as example_of() returns it.
  std::vector<std::pair<std::string, std::string>> needs = {};
  /// A text that gives a value other than the default; empty if example_of() finds one by the type.
  std::string example = {};
  /// Refuses values that have the right type but make no sense for this option. `what` is the
  /// option with its text, for the message. May be null.
  void (*check)(const OptionValue& value, const std::string& what) = nullptr;
};

/// The value of a setting in reports and checksums.
using SettingValue = std::variant<bool, int, float, std::string>;

/// A setting that reports show and that enters checksums.
template <class Settings>
struct SettingField {
  std::string name = {};
  std::string meaning = {};             ///< a sentence, for the schema of reports
  std::vector<std::string> words = {};  ///< the texts that the value may be; empty: any text
  std::function<SettingValue(const Settings& settings)> value = {};  ///< reads it from the settings
};

/// A name with `_` for `-`, as Python and JSON have it: "gap_costs".
std::string with_underscores(std::string name);
/// A name with `-` for `_`, as a command line has it: "gap-costs".
std::string with_dashes(std::string name);

/// Words as a hint lists them: "a, b or c".
std::string listed(const std::vector<std::string>& words);

/// Reads a whole number of at least `least`; `shown` names the option in messages: "--refine".
/// Throws  Error{usage} if the text is not a whole number, or is smaller or too large.
int read_count(const std::string& shown, const std::string& text, int least = 0);

/// Reads a number of bytes, such as "1000000", "512K", "512 MB", "6GiB" or "1.5t". Returns a whole
/// number; none if the text is no such size, or is 0. Units are powers of 1024, with or without B
/// or iB, in letters of either case.
std::optional<double> parse_size(const std::string& text);

/// Reads the value of an option from a text; `shown` names the option in messages: "--refine".
/// Throws  Error{usage} for a text that is not of the type; for a file, the errors of read_text()
///         (io/files/text_input.hpp); the errors of the check of the field.
OptionValue read_option(const OptionField& field, const std::string& text,
                        const std::string& shown);

/// Returns a text that gives the option a value other than its default. For a file, the text is its
/// path below datasets/.
std::string example_of(const OptionField& field);

}  // namespace accord
