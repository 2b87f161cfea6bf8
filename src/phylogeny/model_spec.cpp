// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "phylogeny/matrix_kinds.hpp"
#include "phylogeny/model.hpp"

namespace accord {
namespace {

constexpr const char* kHint =
    "such as JC, K80, HKY, TN or GTR for nucleotides, LG, WAG, JTT or DAYHOFF for proteins, GY94 "
    "for codons, with +G4, +R4, +I, +F, +ASC; values in braces, as in HKY{2.5}+G4{0.5}";

/// Reads the parts of a model's name.
class ModelParser {
 public:
  explicit ModelParser(std::string_view text) : text_(text) {
    for (const char c : text) {
      upper_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    spec_.text = upper_;
    upper_ = without_raxml_words(upper_);
  }

  ModelSpec parse() {
    read_matrix();
    while (at_ < upper_.size()) {
      if (upper_[at_] != '+') fail("'+' is expected before \"" + upper_.substr(at_) + "\"");
      ++at_;
      read_part(word());
    }
    spec_.parameters.insert(spec_.parameters.end(), rates_.begin(), rates_.end());
    if (invariant_ && spec_.is_ascertained) fail("+ASC has no invariant sites, so no +I");
    if (invariant_) spec_.parameters.push_back(*invariant_);
    return std::move(spec_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::usage, "model \"" + std::string(text_) + "\": " + what, kHint);
  }

  std::string word() {
    const std::size_t end = std::min(upper_.find_first_of("+{", at_), upper_.size());
    std::string found = upper_.substr(at_, end - at_);
    at_ = end;
    return found;
  }

  /// The numbers in braces, if there are braces.
  std::vector<double> values() {
    std::vector<double> found;
    if (at_ >= upper_.size() || upper_[at_] != '{') return found;
    const std::size_t end = upper_.find('}', at_);
    if (end == std::string::npos) fail("'{' is never closed");
    while (at_ < end) {
      const std::size_t next = std::min(upper_.find(',', at_ + 1), end);
      const std::string number = upper_.substr(at_ + 1, next - at_ - 1);
      double value = 0;
      const auto [stop, status] =
          std::from_chars(number.data(), number.data() + number.size(), value);
      if (status != std::errc() || stop != number.data() + number.size()) {
        fail("\"" + number + "\" is not a number");
      }
      found.push_back(value);
      at_ = next;
    }
    ++at_;
    return found;
  }

  void give(std::span<ModelParameter> parameters, const std::vector<double>& given) {
    if (given.empty()) return;
    if (given.size() != parameters.size()) {
      fail(std::to_string(given.size()) + " values in braces, but " +
           std::to_string(parameters.size()) + " parameters");
    }
    for (std::size_t k = 0; k < given.size(); ++k) {
      ModelParameter& parameter = parameters[k];
      if (!(given[k] >= parameter.least && given[k] <= parameter.most)) {
        fail(parameter.name + " is not between " + std::to_string(parameter.least) + " and " +
             std::to_string(parameter.most));
      }
      parameter.value = given[k];
      parameter.is_given = true;
    }
  }

  void read_matrix() {
    const std::string name = word();
    const MatrixKind* const found = find_matrix(name);
    if (found == nullptr && name.find("CAT") != std::string::npos) {
      fail("rates of single sites (CAT) are not fitted; +G4 or +R4 in their place");
    }
    if (found == nullptr) fail("there is no matrix \"" + name + "\"");
    spec_.name = found->name;
    spec_.exchanges = found->exchanges;
    spec_.states = found->states;
    spec_.frequencies = found->frequencies;
    spec_.parameters = found->parameters;
    give(spec_.parameters, values());
  }

  void read_part(std::string part) {
    // The words of RAxML-NG.
    for (const auto& [foreign, accord_name] : {std::pair{"FC", "F"},
                                               {"FE", "FQ"},
                                               {"IO", "I"},
                                               {"IU", "I"},
                                               {"ASC_LEWIS", "ASC"},
                                               {"GAMMA", "G"}}) {
      if (part == foreign) part = accord_name;
    }
    if (part.starts_with("G")) {
      read_gamma(part.substr(1));
    } else if (part.starts_with("R")) {
      read_free_rates(part.substr(1));
    } else if (part == "ASC") {
      spec_.is_ascertained = true;
    } else if (part == "I") {
      if (invariant_) fail("+I stands there twice");
      invariant_ = ModelParameter{"invariant", 0.1, 0, 0.99};
      spec_.has_invariant = true;
      give({&*invariant_, 1}, values());
    } else if (part == "F" || part == "FQ" || part == "F3X4") {
      if (has_frequencies_) fail("frequencies are named twice");
      has_frequencies_ = true;
      if (part == "F3X4" && spec_.states != StateKind::codon) fail("+F3X4 is for codons");
      spec_.frequencies = part == "F"    ? FrequencySource::counted
                          : part == "FQ" ? FrequencySource::equal
                                         : FrequencySource::codon_positions;
    } else {
      fail("\"+" + part + "\" is unknown");
    }
  }

  /// The categories of +G or +R.
  void read_categories(const std::string& number, const char* part, std::uint32_t most) {
    if (spec_.categories > 1) fail("rates of categories stand there twice");
    spec_.categories = 4;
    if (number.empty()) return;
    const auto [stop, status] =
        std::from_chars(number.data(), number.data() + number.size(), spec_.categories);
    if (status != std::errc() || stop != number.data() + number.size() || spec_.categories < 2 ||
        spec_.categories > most) {
      fail(std::string(part) + " takes 2 to " + std::to_string(most) + " categories");
    }
  }

  void read_gamma(const std::string& number) {
    read_categories(number, "+G", 32);
    rates_.push_back(gamma_shape());
    give(rates_, values());
  }

  /// Free rates: weights and rates, or pairs of them in braces, as parameters relative to those of
  /// the last category.
  void read_free_rates(const std::string& number) {
    read_categories(number, "+R", 10);
    spec_.has_free_rates = true;
    const std::uint32_t categories = spec_.categories;
    const std::vector<double> given = values(), start = gamma_rates(1, categories);
    if (!given.empty() && given.size() != 2 * std::size_t{categories}) {
      fail("+R" + std::to_string(categories) + " takes a weight and a rate for each category");
    }
    const auto add = [&](const char* name, std::size_t first, double fallback, double least,
                         double most) {
      ModelParameter added{name, fallback, least, most};
      if (!given.empty()) {
        const double value = given[first], last = given[2 * categories - 2 + first % 2];
        if (!(value > 0 && last > 0)) fail("weights and rates of +R must be above 0");
        added.value = value / last;
        added.is_given = true;
      }
      rates_.push_back(added);
    };
    for (std::size_t k = 0; k + 1 < categories; ++k) add("weight", 2 * k, 1, 1e-3, 1e4);
    for (std::size_t k = 0; k + 1 < categories; ++k) {
      add("rate", 2 * k + 1, start[k] / start.back(), 1e-5, 1e3);
    }
  }

  std::string_view text_;
  std::string upper_;
  std::size_t at_ = 0;
  ModelSpec spec_;
  std::vector<ModelParameter> rates_;
  std::optional<ModelParameter> invariant_;
  bool has_frequencies_ = false;
};

}  // namespace

std::vector<double> ModelSpec::values() const {
  std::vector<double> found;
  for (const ModelParameter& parameter : parameters) found.push_back(parameter.value);
  return found;
}

ModelParameter gamma_shape() { return {"alpha", 1, 0.02, 200}; }

ModelSpec parse_model(std::string_view text) { return ModelParser(text).parse(); }

std::uint32_t state_count(StateKind kind, int code) {
  switch (kind) {
    case StateKind::nucleotide:
      return 4;
    case StateKind::amino_acid:
      return 20;
    case StateKind::codon:
      return static_cast<std::uint32_t>(sense_codons(code).size());
  }
  return 0;
}

std::string_view residues_of(StateKind kind) {
  return kind == StateKind::amino_acid ? "proteins" : "nucleotides";
}

}  // namespace accord
