// SPDX-License-Identifier: Apache-2.0
// The options of the input of a family: one table, which every interface, report and checksum
// follows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/families/family_reader.hpp"
#include "options/option_field.hpp"

namespace accord {

/// The commands that take an option of the input.
enum class InputGroup {
  sequences,  ///< those that read sequences
  gaps,       ///< those that read sequences and take gaps out
  direction,  ///< those that read sequences and may turn nucleotides round
  track       ///< those that use tracks
};

/// An option of the input. One entry is all that an option needs beside the code that reads it.
struct InputOption {
  OptionField field;
  InputGroup group = InputGroup::sequences;
  /// Sets the option in `source`. `value` is a result of read_option() for `field`. Never null in
  /// input_options().
  void (*apply)(const OptionValue& value, FamilySource& source) = nullptr;
  /// The field of reports and checksums; none for an option that decides no alignment.
  std::optional<SettingField<FamilySource>> reported = {};
};

/// The options, in the order of help, reports and checksums.
const std::vector<InputOption>& input_options();

/// The option of a name, with dashes or underscores; null if there is none.
const InputOption* find_input_option(const std::string& name);

/// The fields that reports and checksums have for the options, in the order of the options.
std::vector<SettingField<FamilySource>> reported_input_fields();

/// Sets an option of `source` by the text of its value; `shown` is the name of the option in
/// messages.
/// Throws  as read_option: Error{usage} for a text that is no value of the option, and the errors
///         of reading a file; Error{bad_input} for a table of tracks that cannot be parsed.
void set_input_option(const InputOption& option, const std::string& text, const std::string& shown,
                      FamilySource& source);

}  // namespace accord
