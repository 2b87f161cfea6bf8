// SPDX-License-Identifier: Apache-2.0
#include "io/families/input_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string_view>
#include <system_error>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
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

/// The table of a name, or of a file.
std::shared_ptr<const TrackTable> track_table(const std::string& name) {
  const std::vector<std::string>& built_in = built_in_track_tables();
  return std::make_shared<const TrackTable>(
      std::ranges::find(built_in, name) != built_in.end()
          ? built_in_track_table(name)
          : parse_track_table(read_text(name), input_label(name)));
}

/// The number of an option that is a word or a number; none for a word.
std::optional<double> number_of(const OptionValue& value) {
  const std::string& text = word_of(value);
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

void check_track_weight(const OptionValue& value, const std::string& what) {
  constexpr double kMost = 2;
  const std::optional<double> weight = number_of(value);
  if (!weight || (*weight >= 0 && *weight <= kMost)) return;
  throw Error(ErrorKind::usage, what + ": no weight of tracks",
              "use auto, or a number from 0 to 2");
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
       .apply =
           [](const OptionValue& value, Source& s) {
             s.reading.refuse_gaps = word_of(value) == "error";
             s.reading.removes_gaps = !s.reading.refuse_gaps;
           },
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
       .reported = {{.name = "adjust_direction",
                     .meaning =
                         "Whether nucleotide sequences that read backwards are turned round.",
                     .value = [](const Source& s) { return s.adjust_direction; }}}},
      {.field = {.name = "track",
                 .type = OptionType::word_or_file,
                 .value = "FILE",
                 .words = {"GR:TAG", "GC:TAG"},
                 .help = "use one more letter for each residue, such as its secondary structure: "
                         "FASTA with the names of the sequences, ? for unknown; GR:TAG, the lines "
                         "#=GR NAME TAG of a Stockholm file; or GC:TAG, its line #=GC TAG; it "
                         "replaces the secondary structure of structures",
                 .needs = {{"track-matrix", "ss3"}},
                 .example = "example.ss3.fa"},
       .group = InputGroup::track,
       .apply = [](const OptionValue& value, Source& s) { set_tracks(word_of(value), s.track); },
       .reported = {{.name = "track_sha256",
                     .meaning = "SHA-256 of the file of tracks, or of the lines of a Stockholm "
                                "file as such a file; empty without tracks of a file.",
                     .value =
                         [](const Source& s) {
                           return s.track.file ? sha256(s.track.file->text) : std::string();
                         }}}},
      {.field = {.name = "track-matrix",
                 .type = OptionType::word_or_file,
                 .value = "TABLE",
                 .words = built_in_track_tables(),
                 .help = "log odds of the letters of {track}: mu (letters of Reseek), rna "
                         "(dot-brackets), ss3 (H helix, E strand, C other), or a file",
                 .needs = {{"track", "example.ss3.fa"}},
                 .example = "ss3"},
       .group = InputGroup::track,
       .apply = [](const OptionValue& value,
                   Source& s) { s.track.table = track_table(word_of(value)); },
       .reported = {{.name = "track_matrix_sha256",
                     .meaning = "SHA-256 of the table of log odds of tracks, that of ss3 for "
                                "structures; empty without one.",
                     .value =
                         [](const Source& s) {
                           return s.track.table ? sha256(s.track.table->text) : std::string();
                         }}}},
      {.field = {.name = "track-weight",
                 .type = OptionType::word_or_number,
                 .value = "WEIGHT",
                 .words = {"auto"},
                 .standard = "auto",
                 .help = "factor of the log odds of {track}, from 0 to 2, or auto: what the tracks "
                         "of this family are worth, estimated from its letters (auto)",
                 .needs = {{"track", "example.ss3.fa"}, {"track-matrix", "ss3"}},
                 .example = "1",
                 .check = check_track_weight},
       .group = InputGroup::track,
       .apply = [](const OptionValue& value, Source& s) { s.track.weight = number_of(value); },
       .reported = {{.name = "track_weight",
                     .meaning = "Factor of the log odds of tracks; auto: estimated, see track.",
                     .value = [](const Source& s) {
                       return s.track.weight ? formatted("%.17g", *s.track.weight) : "auto";
                     }}}}};
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
