// SPDX-License-Identifier: Apache-2.0
#include "io/formats/nexus_matrix.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kNucleotides = "ACGTRYSWKMBDHVNU";
constexpr std::string_view kResidues = "ARNDCQEGHILKMFPSTWYVBZJX";

/// Whether a switch is on: KEY, or KEY=yes.
bool is_on(const std::string& value) {
  const std::string lower = lower_case(value);
  return lower != "no" && lower != "false";
}

std::size_t number_of(const NexusWords& words, const std::string& key, const std::string& value) {
  std::size_t found = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), found);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
    throw words.complaint(key + "=" + value + " is not a number");
  }
  return found;
}

char character_of(const NexusWords& words, const std::string& key, const std::string& value) {
  if (value.size() != 1) throw words.complaint(key + " is not one character");
  return value[0];
}

std::set<std::uint8_t> residues_of(ResidueType type, std::string_view letters) {
  std::set<std::uint8_t> residues;
  for (const char letter : letters) {
    for (const std::uint8_t one : residues_of_code(type, encode_letter(type, letter))) {
      residues.insert(one);
    }
  }
  return residues;
}

}  // namespace

void NexusMatrix::read_settings(NexusWords& words) {
  std::string key = lower_case(words.word());
  while (key != ";") {
    if (key.empty()) throw words.complaint("a command is never closed by ';'");
    std::string next = words.word(), value;
    if (next == "=") {
      value = words.word();
      next = words.word();
    }
    set(words, key, value);
    key = lower_case(next);
  }
}

void NexusMatrix::set(const NexusWords& words, const std::string& key, const std::string& value) {
  if (key == "ntax") rows = number_of(words, key, value);
  if (key == "nchar") columns = number_of(words, key, value);
  if (key == "missing") missing = character_of(words, key, value);
  if (key == "gap") gap = character_of(words, key, value);
  if (key == "matchchar") match = character_of(words, key, value);
  if (key == "interleave") is_interleaved = is_on(value);
  if (key == "nolabels") has_labels = !is_on(value);
  if (key == "labels") has_labels = is_on(value);
  if (key == "datatype") set_type(words, value);
  if (key == "equate") set_equates(words, value);
  const bool has_right_labels = key == "labels" && lower_case(value) == "right";
  if (has_right_labels || (key == "transpose" && is_on(value))) {
    throw words.complaint(
        "'" + key + "' is not read",
        "write the matrix with a row for each taxon, its label in front, without '" + key + "'");
  }
}

void NexusMatrix::set_type(const NexusWords& words, const std::string& value) {
  const std::string name = lower_case(value);
  if (name == "protein") type = ResidueType::protein;
  if (name == "dna" || name == "nucleotide") type = ResidueType::dna;
  if (name == "rna") type = ResidueType::rna;
  if (type || name == "standard") return;
  throw words.complaint("datatype=" + name + " is not read",
                        "matrices of dna, rna, nucleotide and protein are; give the sequences a "
                        "matrix of their own");
}

void NexusMatrix::set_equates(const NexusWords& words, const std::string& value) {
  std::string_view rest = value;
  const auto skip = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  };
  for (skip(); !rest.empty(); skip()) {
    const char symbol = rest[0];
    rest.remove_prefix(1);
    skip();
    const bool has_mark = rest.starts_with('=');
    if (has_mark) rest.remove_prefix(1);
    skip();
    const bool is_set = rest.starts_with('{') || rest.starts_with('(');
    const std::size_t end = is_set ? rest.find(rest[0] == '{' ? '}' : ')') : 0;
    if (!has_mark || rest.empty() || end == rest.npos) {
      throw words.complaint("equate=" + quote(value) + " is not understood",
                            "it lists symbols, such as equate=\"x=A y=(CT)\"");
    }
    equates[symbol] = rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
  }
}

void NexusMatrix::read_taxa(NexusWords& words) {
  taxa.clear();
  plain_taxa_.clear();
  for (std::string label = words.word(); label != ";"; label = words.word()) {
    if (label.empty()) throw words.complaint("a command is never closed by ';'");
    plain_taxa_.insert(plain_taxon(label));
    taxa.push_back(std::move(label));
  }
}

std::string NexusMatrix::taxon_of(const std::string& label) const {
  const bool is_taxon = plain_taxa_.contains(plain_taxon(label));
  std::size_t number = 0;
  const auto parsed = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == label.data() + label.size();
  if (is_taxon || !is_number || number < 1 || number > taxa.size()) return label;
  return taxa[number - 1];
}

std::string plain_taxon(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::optional<char> letter_of_set(std::optional<ResidueType> type, std::string_view letters) {
  std::string upper(letters);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const bool are_letters = upper.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == upper.npos;
  if (!are_letters || upper.empty()) return std::nullopt;
  if (upper.size() == 1) return letters[0];
  const bool may_be_bases = upper.find_first_not_of(kNucleotides) == upper.npos;
  const ResidueType of = type.value_or(may_be_bases ? ResidueType::dna : ResidueType::protein);
  const std::set<std::uint8_t> residues = residues_of(of, upper);
  for (const char letter : of == ResidueType::protein ? kResidues : kNucleotides) {
    if (residues_of(of, {&letter, 1}) != residues) continue;
    const bool is_lower = std::none_of(letters.begin(), letters.end(), [](char c) {
      return std::isupper(static_cast<unsigned char>(c)) != 0;
    });
    return is_lower ? static_cast<char>(std::tolower(static_cast<unsigned char>(letter))) : letter;
  }
  return std::nullopt;
}

}  // namespace accord
