// SPDX-License-Identifier: Apache-2.0
// One option as all interfaces have it. A table of fields is what the command line, the C++
// interface and the Python package make their options of.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace accord {

/// What the value of an option is, and how a text gives it.
enum class OptionType {
  flag,          ///< "true" or "false"; a command line has no value and means "true"
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

/// The value of an option: of a flag a truth value, of a count its number, of a word the word in
/// small letters, of a word or file that word or the name, of a word or number that word or the
/// text of the number, of a size its bytes, of a time its seconds, of a text the text.
using OptionValue = std::variant<bool, int, double, std::string, std::array<double, 2>, OptionFile>;

/// One option. Its help names other options in braces, as hints do (see with_option_words).
struct OptionField {
  std::string name = {};  ///< as a command line has it, without the dashes: "gap-costs"
  char letter = 0;        ///< its short name on a command line; 0 if there is none
  OptionType type = OptionType::flag;
  std::string value = {};               ///< what help calls the value: "N"; empty for a flag
  std::vector<std::string> words = {};  ///< that a word may be
  int least = 0;                        ///< the smallest count beside `standard`
  /// The text of the value that an option has which is not set; empty where the help says how it
  /// is found.
  std::string standard = {};
  std::string help = {};   ///< what the option does, in a sentence; with the default
  std::string brief = {};  ///< the same for a list, to fit a line; empty: as help
  bool is_common = false;  ///< `accord --help` shows it
  /// Options without which the option says nothing, and a text for each as example_of() has them.
  std::vector<std::pair<std::string, std::string>> needs = {};
  /// A text that gives a value other than the default; empty where the type has one.
  std::string example = {};
  /// Refuses values that have the type and no meaning; `what` is the option with its text, for the
  /// message. May be null.
  void (*check)(const OptionValue& value, const std::string& what) = nullptr;
};

/// The value of a setting in reports and checksums.
using SettingValue = std::variant<bool, int, float, std::string>;

/// A setting that reports and checksums have.
template <class Settings>
struct SettingField {
  std::string name = {};
  std::string meaning = {};             ///< a sentence, for the schema of reports
  std::vector<std::string> words = {};  ///< that a text may be; empty: any
  std::function<SettingValue(const Settings& settings)> value = {};
};

/// A name with `_` for `-`, as Python and JSON have it: "gap_costs".
std::string with_underscores(std::string name);
/// A name with `-` for `_`, as a command line has it: "gap-costs".
std::string with_dashes(std::string name);

/// Words as a hint lists them: "a, b or c".
std::string listed(const std::vector<std::string>& words);

/// A number of at least `least`; `shown` is the option in messages, in the words of the user.
/// Throws  Error{usage} if the text is not a whole number, or is smaller or too large.
int read_count(const std::string& shown, const std::string& text, int least = 0);

/// The number of bytes that a text such as "1000000", "512K", "512 MB", "6GiB" or "1.5t" stands
/// for, a whole number; none if the text is no such size, or is 0. Units are powers of 1024, with
/// or without B or iB, in letters of either case.
std::optional<double> parse_size(const std::string& text);

/// The value that a text gives an option; `shown` is the option in messages: "--refine".
/// Throws  Error{usage} for a text that is not of the type; what read_text and the check of the
///         field throw.
OptionValue read_option(const OptionField& field, const std::string& text,
                        const std::string& shown);

/// A text that gives the option a value other than its default; a file by its path below datasets/.
std::string example_of(const OptionField& field);

}  // namespace accord
