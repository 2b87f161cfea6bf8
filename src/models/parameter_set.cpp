// SPDX-License-Identifier: Apache-2.0
#include "models/parameter_set.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/json_text.hpp"
#include "models/models.hpp"
#include "models/parameter_fields.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

std::string format_number(double value) { return formatted("%.10g", value); }

/// An object of the file. It records which of its keys were read.
class Section {
 public:
  Section(const Json& json, std::string path, const std::string& label)
      : json_(json), path_(std::move(path)), label_(label) {
    if (!json_.is_object()) fail(path_, "is not an object");
  }

  double number(const std::string& key, double least, double most, bool is_whole = false) {
    const Json& value = at(key);
    if (!value.is_number()) fail(path_of(key), "is not a number");
    const double number = value.get<double>();
    if (!(number >= least && number <= most)) {
      fail(path_of(key), "is " + format_number(number) + ", not in [" + format_number(least) +
                             ", " + format_number(most) + "]");
    }
    if (is_whole && number != std::floor(number)) {
      fail(path_of(key), "is " + format_number(number) + ", no whole number");
    }
    return number;
  }

  std::string text(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      fail(path_of(key), "is not a text");
    }
    return value;
  }

  template <class Words>
  auto choice(const std::string& key, const Words& words) {
    const std::string word = text(key);
    std::string known;
    for (const auto& [name, value] : words) {
      if (word == name) return value;
      known.append(known.empty() ? "" : ", ").append(name);
    }
    fail(path_of(key), "is '" + word + "', none of " + known);
  }

  Section section(const std::string& key) { return {at(key), path_of(key), label_}; }

  std::vector<Section> list(const std::string& key, std::size_t least, std::size_t most) {
    const Json& value = at(key);
    if (!value.is_array() || value.size() < least || value.size() > most) {
      fail(path_of(key), "is not a list of " + std::to_string(least) + " to " +
                             std::to_string(most) + " objects");
    }
    std::vector<Section> sections;
    for (std::size_t k = 0; k < value.size(); ++k) {
      sections.emplace_back(value[k], path_of(key) + "[" + std::to_string(k) + "]", label_);
    }
    return sections;
  }

  /// Ends the object. Throws if it has a key that was not read.
  void end() const {
    for (const auto& [key, value] : json_.items()) {
      if (!asked_.contains(key)) fail(path_of(key), "is unknown");
    }
  }

  [[noreturn]] void fail(const std::string& path, const std::string& problem) const {
    throw Error(ErrorKind::bad_input,
                label_ + ": " + (path.empty() ? "the file" : path) + " " + problem,
                "'accord help parameters' lists the keys and their ranges");
  }

 private:
  const Json& at(const std::string& key) {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(path_of(key), "is missing");
    asked_.insert(key);
    return *found;
  }
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  const Json& json_;
  std::string path_;
  const std::string& label_;
  std::set<std::string> asked_;
};

/// Parses the JSON text of a parameter set. A key that occurs twice in an object is an error, since
/// JSON readers differ in which of the two they take.
Json parse_keys(const std::string& text, const std::string& label) {
  std::vector<std::set<std::string>> open;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second) {
      twice = value.get<std::string>();
    }
    return true;
  };
  const std::string hint = "'accord help parameters' describes the file";
  Json json = parse_json(text, label, hint, watch);
  if (twice.empty()) return json;
  throw Error(ErrorKind::bad_input, label + ": the key " + twice + " stands twice in an object",
              hint);
}

PairHmm read_pair_hmm(Section& section) {
  PairHmm hmm{};
  for (Section& entry : section.list("gap_classes", 1, ACCORD_GAP_CLASSES)) {
    GapClass gap{};
    for (const GapField& field : kGapFields) {
      gap.*field.place = entry.number(field.key, field.least, field.most);
    }
    entry.end();
    hmm.gaps.push_back(gap);
  }
  return hmm;
}

/// Checks the conditions that concern several numbers.
void check_sums(const Parameters& parameters, const Section& root) {
  constexpr double kRounding = 1e-6;  // in published probabilities
  constexpr double kLeastMatch = 0.1;
  const PairHmm& hmm = parameters.hmm;
  double starts = hmm.start_match;
  for (const GapClass& gap : hmm.gaps) starts += 2 * gap.start;
  if (starts > 1 + kRounding) {
    root.fail("pair_hmm", "begins with probabilities of the sum " + format_number(starts) +
                              " (start_match and twice each start), more than 1");
  }
  if (hmm.match_match() < kLeastMatch) {
    root.fail("pair_hmm", "leaves a match with probabilities of the sum " +
                              format_number(1 - hmm.match_match()) +
                              " (twice each open), more than 0.9");
  }
  if (parameters.residues == ResidueKind::nucleotide &&
      (hmm.emissions.vtml200_share != 0 || parameters.partition.vtml200_share != 0)) {
    root.fail("vtml200_share", "is of amino acids; for nucleotides it must be 0");
  }
  if (parameters.residues == ResidueKind::nucleotide &&
      (hmm.emissions.context_share != 0 || parameters.partition.context_share != 0 ||
       parameters.gap_openings.context_share != 0)) {
    root.fail("context_share", "is of amino acids; for nucleotides it must be 0");
  }
}

}  // namespace

ParameterSet parse_parameter_set(std::string text, const std::string& label) {
  constexpr std::array<std::pair<const char*, ResidueKind>, 2> kKinds = {
      {{"protein", ResidueKind::protein}, {"nucleotide", ResidueKind::nucleotide}}};
  const Json json = parse_keys(text, label);
  ParameterSet set;
  Section root(json, "", label);
  set.name = root.text("name");
  set.source = root.text("source");
  Parameters& parameters = set.parameters;
  parameters.residues = root.choice("residues", kKinds);
  // Intermediates by pair were chosen on proteins; families of DNA gained nothing by them.
  if (parameters.residues == ResidueKind::nucleotide) parameters.consistency.nearest = 0;
  for (const auto& [name, meaning] : kSections) {
    Section section = root.section(name);
    if (std::string(name) == "pair_hmm") parameters.hmm = read_pair_hmm(section);
    for (const NumberField& field : number_fields()) {
      if (std::string(field.section) != name) continue;
      field.keep(parameters, section.number(field.key, field.least, field.most, field.is_whole));
    }
    section.end();
  }
  root.end();
  check_sums(parameters, root);
  parameters.hmm = with_symmetric_ends(parameters.hmm);
  try {
    const bool is_protein = parameters.residues == ResidueKind::protein;
    build_posterior_model(parameters, is_protein ? ResidueType::protein : ResidueType::dna);
  } catch (const Error& error) {
    throw Error(error.kind(), label + ": " + error.what(), error.hint());
  }
  set.text = std::move(text);
  return set;
}

const ParameterSet& built_in_parameters(ResidueType type) {
  static const ParameterSet protein =
      parse_parameter_set(std::string(protein_parameter_text()), "built-in protein.json");
  static const ParameterSet nucleotide =
      parse_parameter_set(std::string(nucleotide_parameter_text()), "built-in nucleotide.json");
  return kind_of(type) == ResidueKind::protein ? protein : nucleotide;
}

Parameters default_parameters(ResidueType type) { return built_in_parameters(type).parameters; }

std::string format_parameter_fields() {
  std::string text =
      "A parameter file ({parameters}) is a JSON object with exactly these keys.\n"
      "'accord help parameters-protein' and 'accord help parameters-nucleotide' print the\n"
      "built-in files, to begin with; scripts/training/tune.py looks for better numbers.\n"
      "\n"
      "  name, source  (text)\n"
      "      the name of the set, and the source of its numbers\n"
      "  residues  (protein or nucleotide)\n";
  const auto line = [&](const std::string& key, const std::string& range, const char* meaning) {
    text += "  " + key + "  " + range + "\n      " + meaning + "\n";
  };
  const auto range = [](double least, double most) {
    return std::string("(")
        .append(format_number(least))
        .append(" to ")
        .append(format_number(most))
        .append(")");
  };
  for (const auto& [name, meaning] : kSections) {
    const std::string section = name;
    text += "\n" + section + ": " + meaning + "\n";
    for (const NumberField& field : number_fields()) {
      if (field.section == section) line(field.key, range(field.least, field.most), field.meaning);
    }
    if (section == "pair_hmm") {
      text += "  gap_classes  (list of 1 to " + std::to_string(ACCORD_GAP_CLASSES) + " objects)\n";
      for (const GapField& field : kGapFields) {
        line("  " + std::string(field.key), range(field.least, field.most), field.meaning);
      }
    }
  }
  return text +
         "\nThe sum of start_match and twice each start must not exceed 1, and the sum of twice "
         "each\n"
         "open must not exceed 0.9. A gap costs as much at the end as at the start.\n"
         "\n"
         "A substitution matrix ({matrix}) replaces the scores of both models. The file has lines\n"
         "of '#', a line with letters, and for each letter a line with its scores, as NCBI has\n"
         "them. accord computes its scale: the lambda with sum p p exp(lambda s) = 1 (Karlin &\n"
         "Altschul 1990). The background p is the one that the scores imply (Yu et al. 2003). If\n"
         "rounded scores imply none, p is that of amino acids, or uniform for other letters. The\n"
         "scores are then as sharp as the built-in ones; contexts are left out. If all letters "
         "are\n"
         "of nucleotides, the matrix is for nucleotides. Other letters are read as proteins are,\n"
         "whatever they mean: up to 23 letters, all but O, U and X. A letter without scores is\n"
         "unknown, as X is.\n";
}

}  // namespace accord
