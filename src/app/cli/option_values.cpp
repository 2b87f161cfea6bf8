// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_values.hpp"

#include <utility>

namespace accord {

void add_common_option(OptionTable& table, const std::string& name, const std::string& value,
                       const std::string& help, OptionTopic topic,
                       std::function<void(const std::string&)> set) {
  table.push_back({.name = name,
                   .value = value,
                   .help = help,
                   .topic = topic,
                   .common = true,
                   .set = std::move(set)});
}

AlignmentFormat parse_format(const std::string& option, const std::string& text) {
  const std::optional<AlignmentFormat> format = format_named(lower_case(text));
  if (format && is_writable(*format)) return *format;
  usage_error("--" + option + " " + text + (format ? ": can only be read" : ": unknown format"),
              "use " + writable_formats());
}

std::function<void(const std::string&)> choice_in(bool& target, const std::string& option,
                                                  const std::string& first,
                                                  const std::string& second) {
  return [&target, option, first, second](const std::string& value) {
    if (value != first && value != second) {
      usage_error("--" + option + " " + value + ": unknown word", "use " + first + " or " + second);
    }
    target = value == second;
  };
}

int parse_count(const std::string& option, const std::string& text, int least) {
  return read_count("--" + option, text, least);
}

}  // namespace accord
