// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "accord/base/error.hpp"
#include "phylogeny/model.hpp"

namespace accord {
namespace {

constexpr const char* kHint =
    "JC, K80, HKY or GTR for nucleotides, LG, WAG, JTT or DAYHOFF for proteins, GY94 for codons, "
    "with +G4, +I, +F; values in braces, as in HKY{2.5}+G4{0.5}";

/// A matrix and what it has.
struct MatrixKind {
  const char* name;
  StateKind states;
  FrequencySource frequencies;
  std::vector<ModelParameter> parameters;
};

const std::vector<MatrixKind>& matrix_kinds() {
  const auto ratio = [](const char* name, double value) {
    return ModelParameter{name, value, 1e-3, 1e3};
  };
  using enum StateKind;
  using enum FrequencySource;
  static const std::vector<MatrixKind> kinds = {
      {"JC", nucleotide, equal, {}},
      {"K80", nucleotide, equal, {ratio("kappa", 2)}},
      {"HKY", nucleotide, counted, {ratio("kappa", 2)}},
      {"GTR",
       nucleotide,
       counted,
       {ratio("AC", 1), ratio("AG", 2), ratio("AT", 1), ratio("CG", 1), ratio("CT", 2)}},
      {"LG", amino_acid, published, {}},
      {"WAG", amino_acid, published, {}},
      {"JTT", amino_acid, published, {}},
      {"DAYHOFF", amino_acid, published, {}},
      {"GY94", codon, codon_positions, {ratio("kappa", 2), ratio("omega", 0.3)}},
  };
  return kinds;
}

/// Reads the parts of a model's name.
class ModelParser {
 public:
  explicit ModelParser(std::string_view text) : text_(text) {
    for (const char c : text) {
      upper_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }

  ModelSpec parse() {
    read_matrix();
    while (at_ < upper_.size()) {
      if (upper_[at_] != '+') fail("'+' is expected before \"" + upper_.substr(at_) + "\"");
      ++at_;
      read_part(word());
    }
    if (shape_) spec_.parameters.push_back(*shape_);
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
    const auto found = std::find_if(matrix_kinds().begin(), matrix_kinds().end(),
                                    [&](const MatrixKind& kind) { return kind.name == name; });
    if (found == matrix_kinds().end()) fail("there is no matrix \"" + name + "\"");
    spec_.text = upper_;
    spec_.name = found->name;
    spec_.states = found->states;
    spec_.frequencies = found->frequencies;
    spec_.parameters = found->parameters;
    give(spec_.parameters, values());
  }

  void read_part(const std::string& part) {
    if (part.starts_with("G")) {
      read_gamma(part.substr(1));
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

  void read_gamma(const std::string& number) {
    constexpr std::uint32_t kMost = 32;
    if (shape_) fail("+G stands there twice");
    std::uint32_t categories = 4;
    if (!number.empty()) {
      const auto [stop, status] =
          std::from_chars(number.data(), number.data() + number.size(), categories);
      if (status != std::errc() || stop != number.data() + number.size() || categories < 2 ||
          categories > kMost) {
        fail("+G takes 2 to 32 categories");
      }
    }
    spec_.categories = categories;
    shape_ = ModelParameter{"alpha", 1, 0.02, 200};
    give({&*shape_, 1}, values());
  }

  std::string_view text_;
  std::string upper_;
  std::size_t at_ = 0;
  ModelSpec spec_;
  std::optional<ModelParameter> shape_, invariant_;
  bool has_frequencies_ = false;
};

}  // namespace

std::vector<double> ModelSpec::values() const {
  std::vector<double> found;
  for (const ModelParameter& parameter : parameters) found.push_back(parameter.value);
  return found;
}

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
