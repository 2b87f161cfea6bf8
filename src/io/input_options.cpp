// SPDX-License-Identifier: Apache-2.0
#include "io/input_options.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "io/formats/formats.hpp"

namespace accord {
namespace {

using Source = FamilySource;

const std::string& word_of(const OptionValue& value) { return std::get<std::string>(value); }

/// "auto", and the names of the formats that can be read.
std::vector<std::string> format_words() {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> words = {"auto"};
  const std::string names = readable_formats();
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(kBetween, at), names.size());
    words.push_back(names.substr(at, end - at));
    at = end + kBetween.size();
  }
  return words;
}

std::optional<ResidueType> type_named(const std::string& word) {
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (word == to_string(type)) return type;
  }
  return std::nullopt;
}

std::vector<InputOption> make_input_options() {
  return {
      {.field = {.name = "max-seqs",
                 .type = OptionType::count,
                 .value = "N",
                 .help = "refuse an input with more than N sequences"},
       .apply = [](const OptionValue& value,
                   Source& s) { s.most_sequences = std::get<int>(value); }},
      {.field = {.name = "max-length",
                 .type = OptionType::count,
                 .value = "N",
                 .help = "refuse an input with a sequence of more than N residues"},
       .apply = [](const OptionValue& value,
                   Source& s) { s.most_residues = std::get<int>(value); }},
      {.field = {.name = "in-format",
                 .type = OptionType::word,
                 .value = "FORMAT",
                 .words = format_words(),
                 .standard = "auto",
                 .help = "format of the input: auto, by its content, or " + readable_formats() +
                         " (auto)",
                 .example = "fasta"},
       .apply = [](const OptionValue& value,
                   Source& s) { s.reading.format = format_named(word_of(value)); },
       .reported = {{.name = "input_format",
                     .meaning = "Format of the input as {in-format} has it; auto: by its content.",
                     .words = format_words(),
                     .value =
                         [](const Source& s) {
                           return s.reading.format ? std::string(format_name(*s.reading.format))
                                                   : "auto";
                         }}}},
      {.field = {.name = "lenient",
                 .type = OptionType::flag,
                 .help = "leave out characters that cannot stand in a sequence, such as digits, "
                         "with a warning (in an alignment they become gaps); they are an error "
                         "otherwise"},
       .apply = [](const OptionValue& value,
                   Source& s) { s.reading.lenient = std::get<bool>(value); },
       .reported = {{.name = "lenient",
                     .meaning = "Whether characters that cannot stand in a sequence are left out.",
                     .value = [](const Source& s) { return s.reading.lenient; }}}},
      {.field = {.name = "type",
                 .letter = 't',
                 .type = OptionType::word,
                 .value = "TYPE",
                 .words = {"auto", "protein", "dna", "rna"},
                 .standard = "auto",
                 .help = "auto, protein, dna or rna (auto)",
                 .is_common = true,
                 .example = "dna"},
       .apply =
           [](const OptionValue& value, Source& s) {
             s.type = type_named(word_of(value));
             s.reading.is_type_given = s.type.has_value();
           }},
      {.field = {.name = "gaps",
                 .type = OptionType::word,
                 .value = "WHAT",
                 .words = {"remove", "error"},
                 .standard = "remove",
                 .help = "gaps in the input: remove, with a warning, or error (remove)"},
       .group = InputGroup::gaps,
       .apply = [](const OptionValue& value,
                   Source& s) { s.reading.refuse_gaps = word_of(value) == "error"; },
       .reported =
           {{.name = "gaps",
             .meaning = "How gaps of sequences that are to be aligned are treated.",
             .words = {"remove", "error"},
             .value = [](const Source& s) { return s.reading.refuse_gaps ? "error" : "remove"; }}}},
      {.field = {.name = "adjust-direction",
                 .type = OptionType::flag,
                 .help = "replace nucleotide sequences by their reverse complements if these are "
                         "more similar to the others; their names then begin with _R_"},
       .group = InputGroup::direction,
       .apply = [](const OptionValue& value,
                   Source& s) { s.adjust_direction = std::get<bool>(value); },
       .reported = {
           {.name = "adjust_direction",
            .meaning = "Whether nucleotide sequences that read backwards are turned round.",
            .value = [](const Source& s) { return s.adjust_direction; }}}}};
}

}  // namespace

const std::vector<InputOption>& input_options() {
  static const std::vector<InputOption> options = make_input_options();
  return options;
}

const InputOption* find_input_option(const std::string& name) {
  const std::vector<InputOption>& options = input_options();
  const std::string dashed = with_dashes(name);
  const auto at = std::ranges::find_if(
      options, [&](const InputOption& option) { return option.field.name == dashed; });
  return at == options.end() ? nullptr : &*at;
}

std::vector<SettingField<FamilySource>> reported_input_fields() {
  std::vector<SettingField<FamilySource>> fields;
  for (const InputOption& option : input_options()) {
    if (option.reported) fields.push_back(*option.reported);
  }
  return fields;
}

void set_input_option(const InputOption& option, const std::string& text, const std::string& shown,
                      FamilySource& source) {
  option.apply(read_option(option.field, text, shown), source);
}

}  // namespace accord
