// SPDX-License-Identifier: Apache-2.0
#include "models/residue_contexts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

constexpr std::int32_t kMostWeight = 32767;
constexpr std::int32_t kMostBias = 1 << 29;
constexpr int kMostContextLogOdds = 5;  // in absolute value

/// The entries of the file. Each access checks the shape of the entry.
class Fields {
 public:
  Fields(std::string_view text, const std::string& label) : label_(label) {
    json_ = nlohmann::json::parse(text, nullptr, false);
    if (!json_.is_object()) fail("the file", "is not a JSON object");
  }

  std::int32_t integer(const char* key, std::int32_t least, std::int32_t most) const {
    return integer_of(at(key), key, least, most);
  }

  std::vector<std::int32_t> integers(const char* key, std::size_t count, std::int32_t most) const {
    const nlohmann::json& list = at(key);
    if (!list.is_array() || list.size() != count) {
      fail(key, "is not a list of " + std::to_string(count) + " integers");
    }
    std::vector<std::int32_t> values;
    values.reserve(count);
    for (const nlohmann::json& value : list) values.push_back(integer_of(value, key, -most, most));
    return values;
  }

  /// Reads a symmetric table with a number for every two classes.
  ResidueContexts::Table table(const char* key) const {
    const nlohmann::json& rows = at(key);
    if (!is_table(rows)) {
      fail(key, "is not a table of " + counted(ACCORD_CONTEXTS, "row") +
                    " of as many numbers from -" + std::to_string(kMostContextLogOdds) + " to " +
                    std::to_string(kMostContextLogOdds));
    }
    const auto table = rows.get<ResidueContexts::Table>();
    for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
      for (std::size_t d = 0; d < c; ++d) {
        if (table[c][d] != table[d][c]) fail(key, "is not symmetric");
      }
    }
    return table;
  }

  /// Reads two lists of numbers: for the residue before a gap, and for the residue behind it.
  std::array<std::vector<double>, 2> two_lists(const char* key, std::size_t count) const {
    const nlohmann::json& lists = at(key);
    const auto is_list = [&](const nlohmann::json& list) {
      return list.is_array() && list.size() == count && std::ranges::all_of(list, is_entry);
    };
    if (!lists.is_array() || lists.size() != 2 || !std::ranges::all_of(lists, is_list)) {
      fail(key, "is not two lists of " + std::to_string(count) + " numbers from -" +
                    std::to_string(kMostContextLogOdds) + " to " +
                    std::to_string(kMostContextLogOdds));
    }
    return lists.get<std::array<std::vector<double>, 2>>();
  }

  [[noreturn]] void fail(const std::string& what, const std::string& problem) const {
    throw Error(ErrorKind::bad_input, label_ + ": " + what + " " + problem,
                "docs/development/tuning.md says how such files are made");
  }

 private:
  static bool is_entry(const nlohmann::json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= kMostContextLogOdds;
  }
  static bool is_table(const nlohmann::json& rows) {
    const auto is_row = [&](const nlohmann::json& row) {
      return row.is_array() && row.size() == ACCORD_CONTEXTS && std::ranges::all_of(row, is_entry);
    };
    return rows.is_array() && rows.size() == ACCORD_CONTEXTS && std::ranges::all_of(rows, is_row);
  }
  const nlohmann::json& at(const char* key) const {
    if (!json_.contains(key)) fail(key, "is missing");
    return json_[key];
  }
  std::int32_t integer_of(const nlohmann::json& value, const char* key, std::int32_t least,
                          std::int32_t most) const {
    // Compared as doubles, which are exact within the bounds and do not wrap beyond them.
    if (!value.is_number_integer() || value.get<double>() < least || value.get<double>() > most) {
      fail(key,
           "is, or has, no integer from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value.get<std::int32_t>();
  }

  nlohmann::json json_;
  const std::string& label_;
};

}  // namespace

ResidueContexts ResidueContexts::parse(std::string_view text, const std::string& label) {
  const Fields fields(text, label);
  ResidueContexts contexts;
  contexts.radius_ = static_cast<std::size_t>(fields.integer("radius", 0, 32));
  contexts.hidden_ = static_cast<std::size_t>(fields.integer("hidden", 1, 64));
  contexts.limit_ = fields.integer("limit", 1, 1024);
  const std::size_t hidden = contexts.hidden_, offsets = 2 * contexts.radius_ + 1;
  contexts.window_ = fields.integers("window", offsets * kLetters * hidden, kMostWeight);
  contexts.bias_ = fields.integers("bias", hidden, kMostBias);
  contexts.classes_ = fields.integers("classes", ACCORD_CONTEXTS * hidden, kMostWeight);
  const std::vector<std::int32_t> class_bias =
      fields.integers("class_bias", ACCORD_CONTEXTS, kMostBias);
  std::ranges::copy(class_bias, contexts.class_bias_.begin());
  // The largest sums have 65 offsets or 64 hidden values at their limits.
  if (static_cast<std::int64_t>(hidden) * kMostWeight * contexts.limit_ >
      std::numeric_limits<std::int32_t>::max() - kMostBias) {
    fields.fail("limit", "is too large for this number of hidden values");
  }
  contexts.log_odds_ = fields.table("log_odds");
  const auto of_letters = fields.two_lists("gap_letters", kLetters - 2);
  const auto of_classes = fields.two_lists("gap_classes", ACCORD_CONTEXTS);
  for (std::size_t side = 0; side < 2; ++side) {
    const auto first = contexts.log_openings_[side].begin();
    std::ranges::copy(of_letters[side], first);
    std::ranges::copy(of_classes[side], first + ACCORD_SYMBOLS);
  }
  return contexts;
}

void ResidueContexts::classify(std::span<const std::uint8_t> codes,
                               std::span<std::uint8_t> classes) const {
  constexpr std::uint8_t kUnknown = 20, kOutside = 21;
  std::vector<std::uint8_t> letters(codes.size() + 2 * radius_, kOutside);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    letters[i + radius_] = std::min(codes[i], kUnknown);
  }
  std::vector<std::int32_t> values(hidden_);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    values = bias_;
    for (std::size_t o = 0; o <= 2 * radius_; ++o) {
      const std::int32_t* weights = window_.data() + (o * kLetters + letters[i + o]) * hidden_;
      for (std::size_t k = 0; k < hidden_; ++k) values[k] += weights[k];
    }
    for (std::int32_t& value : values) value = std::clamp(value, -limit_, limit_);
    std::int32_t largest = std::numeric_limits<std::int32_t>::min();
    for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) {
      std::int32_t score = class_bias_[c];
      for (std::size_t k = 0; k < hidden_; ++k) score += classes_[c * hidden_ + k] * values[k];
      if (score <= largest) continue;
      largest = score;
      classes[i] = static_cast<std::uint8_t>(c);
    }
  }
}

CodedSequences ResidueContexts::add_to(const CodedSequences& sequences) const {
  constexpr std::size_t kOfPart = 8;
  std::vector<std::vector<std::uint8_t>> codes(sequences.size());
  parallel_for_parts(codes.size(), kOfPart, [&](std::size_t x, std::size_t last) {
    std::vector<std::uint8_t> classes;
    for (; x < last; ++x) {
      const std::span<const std::uint8_t> plain = sequences.codes(x);
      classes.resize(plain.size());
      classify(plain, classes);
      codes[x].assign(plain.begin(), plain.end());
      for (std::size_t i = 0; i < plain.size(); ++i) {
        codes[x][i] = static_cast<std::uint8_t>(plain[i] | classes[i] * ACCORD_SYMBOLS);
      }
    }
  });
  CodedSequences with_contexts;
  for (const std::vector<std::uint8_t>& of_sequence : codes) with_contexts.append(of_sequence);
  return with_contexts;
}

const ResidueContexts& protein_contexts() {
  static const ResidueContexts contexts =
      ResidueContexts::parse(protein_contexts_text(), "built-in protein_context.json");
  return contexts;
}

}  // namespace accord
