// SPDX-License-Identifier: Apache-2.0
#include "method/method_options.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "method/settings.hpp"
#include "method/word_value.hpp"
#include "options/most_count.hpp"

namespace accord {
namespace {

using Settings = AlignSettings;

const std::string& word_of(const OptionValue& value) { return std::get<std::string>(value); }
int count_of(const OptionValue& value) { return std::get<int>(value); }

void check_parameters(const OptionValue& value, const std::string&) {
  const auto& file = std::get<OptionFile>(value);
  parse_parameter_set(file.text, input_label(file.name));
}

void check_matrix(const OptionValue& value, const std::string&) {
  const auto& file = std::get<OptionFile>(value);
  parse_substitution_matrix(file.text, input_label(file.name));
}

void check_gap_costs(const OptionValue& value, const std::string& what) {
  const auto& [open, extend] = std::get<std::array<double, 2>>(value);
  constexpr double kMost = 1e6;
  if (open >= 0 && open <= kMost && extend > 0 && extend <= kMost) return;
  throw Error(ErrorKind::usage, what + ": no costs of gaps",
              "use two numbers, such as 11,1, the first of at least 0, the second above it, "
              "both of at most 1000000");
}

/// Bounds of counts, as those of the files of parameters.
constexpr int kMostRounds = 10, kMostIterations = 100'000, kMostSequences = 1'000'000;

std::vector<MethodOption> make_method_options() {
  // The numbers of the parameter set that no option sets are reported with an option beside them.
  return {
      {.field = {.name = "mode",
                 .type = OptionType::word,
                 .value = "MODE",
                 .words = {"posterior", "local", "motifs"},
                 .standard = "posterior",
                 .help = "posterior; local: by local alignments and refinement along the "
                         "tree, as MAFFT L-INS-i; motifs: the same with gaps in both sequences, "
                         "as E-INS-i (posterior)",
                 .brief = "posterior, local or motifs (posterior)",
                 .is_common = true},
       .apply = [](const OptionValue& value, Settings& s) { s.mode = align_mode(word_of(value)); }},
      {.field = {.name = "parameters",
                 .type = OptionType::file,
                 .value = "FILE",
                 .help = "take the parameters of the models and of the method from here, see "
                         "'accord help parameters' (the built-in set for proteins or for "
                         "nucleotides)",
                 .example = "parameters/msaprobs.json",
                 .check = check_parameters},
       .is_of_models = true,
       .reported = {{.name = "parameter_set",
                     .meaning = "The name of the parameter set.",
                     .value = [](const Settings& s) { return s.parameter_set; }},
                    {.name = "parameter_set_sha256",
                     .meaning = "SHA-256 of the file of the parameter set.",
                     .value = [](const Settings& s) { return s.parameter_sha256; }}}},
      {.field = {.name = "matrix",
                 .type = OptionType::file,
                 .value = "FILE",
                 .help = "take the scores of letters from this substitution matrix (NCBI's "
                         "format) in place of the built-in scores; accord finds its scale, and "
                         "the costs of gaps stay",
                 .example = "substitution/blosum62.txt",
                 .check = check_matrix},
       .is_of_models = true},
      {.field = {.name = "gap-costs",
                 .type = OptionType::numbers,
                 .value = "OPEN,EXTEND",
                 .help = "the cost of a gap in units of {matrix}, such as 11,1: OPEN, and EXTEND "
                         "for each of its residues",
                 .needs = {{"matrix", "substitution/blosum62.txt"}},
                 .check = check_gap_costs},
       .is_of_models = true},
      {.field = {.name = "tree",
                 .type = OptionType::word_or_file,
                 .value = "TREE",
                 .words = {"upgma", "nj"},
                 .help = "guide tree: upgma, nj, or a Newick file (upgma; nj for the modes local "
                         "and motifs)",
                 .brief = "guide tree: upgma, nj, or a Newick file",
                 .is_common = true,
                 .example = "nj"},
       .reported = {{.name = "tree",
                     .meaning = "Where the guide tree comes from.",
                     .words = {"upgma", "nj", "file"},
                     .value = [](const Settings& s) { return to_string(s.tree); }}}},
      {.field = {.name = "prune",
                 .type = OptionType::flag,
                 .help = "leave out the leaves of the file of {tree} that are not among the "
                         "sequences, with a warning; they are an error otherwise",
                 .needs = {{"tree", "example.nwk"}}},
       .apply = [](const OptionValue& value, Settings& s) { s.prunes = std::get<bool>(value); }},
      {.field = {.name = "fold",
                 .type = OptionType::word,
                 .value = "WHEN",
                 .words = {"auto", "never"},
                 .standard = "auto",
                 .help = "predict the base pairs of RNA and align with them: auto (for less than "
                         "75 % identity and up to 500 bases), or never (auto)"},
       .apply = [](const OptionValue& value, Settings& s) { s.folds = word_of(value) != "never"; }},
      {.field = {.name = "large",
                 .type = OptionType::word,
                 .value = "WHEN",
                 .words = {"auto", "never", "always", "subsets"},
                 .standard = "auto",
                 .help = "align a backbone of representatives and add the other sequences to it: "
                         "auto (for more than 700 sequences, or 1e11 cells of all pairs), never "
                         "or always; subsets: in place of that, align subsets of near relatives "
                         "and merge them (auto)"},
       .apply = [](const OptionValue& value,
                   Settings& s) { s.large = large_families(word_of(value)); }},
      {.field = {.name = "backbone",
                 .type = OptionType::count,
                 .value = "N",
                 .least = 2,
                 .standard = "0",
                 .help = "sequences of the backbone of a large family (100, with {effort=max} 200; "
                         "fewer, at least 50, if they are long)",
                 .check = check_most<kMostSequences>},
       .apply = [](const OptionValue& value,
                   Settings& s) { s.backbone = static_cast<std::size_t>(count_of(value)); }},
      {.field = {.name = "effort",
                 .type = OptionType::word,
                 .value = "EFFORT",
                 .words = {"normal", "high", "max"},
                 .standard = "normal",
                 .help = "work for a large family: normal, high or max (normal); without a GPU "
                         "high takes four times as long, max eight times, for more accuracy"},
       .apply =
           [](const OptionValue& value, Settings& s) {
             s.effort = effort_of(word_of(value));
             s.large_effort = large_effort(s.effort);
           }},
      {.field = {.name = "consistency",
                 .type = OptionType::count,
                 .value = "N",
                 .help = "rounds of the consistency transform, at most 10 (2; 1 for more than 50 "
                         "sequences)",
                 .check = check_most<kMostRounds>},
       .apply = [](const OptionValue& value,
                   Settings& s) { s.parameters.consistency.set_rounds(count_of(value)); },
       .reported =
           {{.name = "cutoff",
             .meaning = "Least probability of a posterior cell that is kept.",
             .value = [](const Settings& s) { return s.parameters.cutoff; }},
            {.name = "consistency_rounds_small",
             .meaning = "Rounds of the consistency transform for families below the size "
                        "large_from of the parameter set; in a large family those of few "
                        "inserted segments.",
             .value = [](const Settings& s) { return s.parameters.consistency.rounds; }},
            {.name = "consistency_rounds_large",
             .meaning = "The same for other families.",
             .value = [](const Settings& s) { return s.parameters.consistency.rounds_of_large; }}}},
      {.field = {.name = "intermediates",
                 .type = OptionType::count,
                 .value = "N",
                 .help = "most third sequences that the consistency transform uses, the same for "
                         "all pairs; 0: all (32; for more than 100 proteins, those among the 96 "
                         "nearest of both sequences)",
                 .check = check_most<kMostSequences>},
       .apply =
           [](const OptionValue& value, Settings& s) {
             s.parameters.consistency.intermediates = count_of(value);
             s.parameters.consistency.nearest = 0;
           },
       .reported =
           {{.name = "consistency_intermediates",
             .meaning = "Most third sequences that the consistency transform uses; 0 for all.",
             .value = [](const Settings& s) { return s.parameters.consistency.intermediates; }},
            {.name = "consistency_nearest",
             .meaning = "In a family of more than 100 sequences, the third sequences of a pair are "
                        "among this number of nearest ones of both; 0, as for nucleotides: all "
                        "pairs have the same.",
             .value = [](const Settings& s) { return s.parameters.consistency.nearest; }},
            {.name = "consistency_cutoff",
             .meaning = "Least probability that is kept between the rounds.",
             .value = [](const Settings& s) { return s.parameters.consistency.cutoff; }}}},
      {.field = {.name = "refine",
                 .type = OptionType::count,
                 .value = "N",
                 .help = "iterations of the refinement (30); in the modes local and motifs, most "
                         "rounds over all branches of the tree (2)",
                 .check = check_most<kMostIterations>},
       .apply =
           [](const OptionValue& value, Settings& s) {
             s.parameters.refine_iterations = s.local_rounds = count_of(value);
           },
       .reported = {{.name = "refine_iterations",
                     .meaning = "Iterations of the refinement.",
                     .value = [](const Settings& s) {
                       return s.is_local() ? s.local_rounds : s.parameters.refine_iterations;
                     }}}}};
}

const OptionField& field_named(const std::string& name, const std::string& shown) {
  if (const MethodOption* const option = find_method_option(name)) return option->field;
  std::vector<std::string> names;
  for (const MethodOption& known : method_options()) names.push_back(known.field.name);
  throw Error(ErrorKind::usage, shown + ": no option of the method", "use " + listed(names));
}

/// The value of an option in reports: of a file its SHA-256.
SettingValue setting_of(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* count = std::get_if<int>(&value)) return *count;
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* file = std::get_if<OptionFile>(&value)) return sha256(file->text);
  const auto& [first, second] = std::get<std::array<double, 2>>(value);
  char text[64];
  std::snprintf(text, sizeof text, "%.17g,%.17g", first, second);
  return text;
}

/// The value of an option under its name.
SettingField<Settings> plain_field(const OptionField& field) {
  return {.name = with_underscores(field.name),
          .meaning = field.help,
          .words = field.words,
          .value = [&field](const Settings& settings) -> SettingValue {
            const std::optional<OptionValue> value = settings.options.value_of(field);
            return value ? setting_of(*value) : SettingValue(std::string());
          }};
}

}  // namespace

const char* to_string(TreeMethod tree) {
  switch (tree) {
    case TreeMethod::neighbor_joining:
      return "nj";
    case TreeMethod::file:
      return "file";
    case TreeMethod::upgma:
      break;
  }
  return "upgma";
}

const char* to_string(LargeFamilies large) {
  switch (large) {
    case LargeFamilies::never:
      return "never";
    case LargeFamilies::always:
      return "always";
    case LargeFamilies::subsets:
      return "subsets";
    case LargeFamilies::automatic:
      break;
  }
  return "auto";
}

const char* to_string(AlignMode mode) {
  switch (mode) {
    case AlignMode::local:
      return "local";
    case AlignMode::motifs:
      return "motifs";
    case AlignMode::posterior:
      break;
  }
  return "posterior";
}

LargeFamilies large_families(const std::string& word) {
  return value_of_word({LargeFamilies::automatic, LargeFamilies::never, LargeFamilies::always,
                        LargeFamilies::subsets},
                       word);
}

AlignMode align_mode(const std::string& word) {
  return value_of_word({AlignMode::posterior, AlignMode::local, AlignMode::motifs}, word);
}

const std::vector<MethodOption>& method_options() {
  static const std::vector<MethodOption> options = make_method_options();
  return options;
}

const MethodOption* find_method_option(const std::string& name) {
  const std::vector<MethodOption>& options = method_options();
  const std::string dashed = with_dashes(name);
  const auto at = std::ranges::find_if(
      options, [&](const MethodOption& option) { return option.field.name == dashed; });
  return at == options.end() ? nullptr : &*at;
}

void MethodOptions::set(const std::string& name, const std::string& text,
                        const std::string& shown) {
  const OptionField& field = field_named(name, shown);
  values_[field.name] = read_option(field, text, shown);
}

void MethodOptions::set(const std::string& name, OptionFile file) {
  const OptionField& field = field_named(name, name);
  if (field.check != nullptr) field.check(file, name + " " + file.name);
  values_[field.name] = std::move(file);
}

std::optional<OptionValue> MethodOptions::value_of(const OptionField& field) const {
  if (const auto at = values_.find(field.name); at != values_.end()) return at->second;
  if (field.type == OptionType::flag) return false;
  if (field.standard.empty()) return std::nullopt;
  return read_option(field, field.standard, field.name);
}

AlignMode MethodOptions::mode() const {
  const auto* word = find<std::string>("mode");
  return word == nullptr ? AlignMode::posterior : align_mode(*word);
}

TreeMethod MethodOptions::tree_method() const {
  const auto* word = find<std::string>("tree");
  if (word == nullptr) return is_local() ? TreeMethod::neighbor_joining : TreeMethod::upgma;
  return *word == "upgma" ? TreeMethod::upgma
         : *word == "nj"  ? TreeMethod::neighbor_joining
                          : TreeMethod::file;
}

std::string MethodOptions::tree_file() const {
  return tree_method() == TreeMethod::file ? *find<std::string>("tree") : "";
}

std::vector<std::string> MethodOptions::files() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) {
    if (const auto* file = std::get_if<OptionFile>(&value)) names.push_back(file->name);
  }
  names.push_back(tree_file());
  return names;
}

std::vector<SettingField<Settings>> reported_fields() {
  std::vector<SettingField<Settings>> fields;
  for (const MethodOption& option : method_options()) {
    if (option.reported.empty()) {
      if (!option.is_of_models) fields.push_back(plain_field(option.field));
    } else {
      fields.insert(fields.end(), option.reported.begin(), option.reported.end());
    }
  }
  return fields;
}

}  // namespace accord
