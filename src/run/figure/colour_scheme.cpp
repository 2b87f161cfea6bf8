// SPDX-License-Identifier: Apache-2.0
#include "run/figure/colour_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "options/option_field.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;

const ordered_json& schemes() {
  static const ordered_json table = ordered_json::parse(drawing_table_text());
  return table.at("schemes");
}

const ordered_json* scheme_named(const std::string& name) {
  for (const ordered_json& scheme : schemes()) {
    if (scheme.at("name") == name) return &scheme;
  }
  return nullptr;
}

Rgb rgb_of(const std::string& hex) {
  const unsigned long value = std::stoul(hex.substr(1), nullptr, 16);
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 0xff),
          static_cast<std::uint8_t>(value & 0xff)};
}

/// A colour of a strength of 0 (white) to 1.
Rgb on_white(const Rgb& colour, double strength) {
  Rgb mixed;
  for (std::size_t k = 0; k < mixed.size(); ++k) {
    mixed[k] = static_cast<std::uint8_t>(std::lround(255 + (colour[k] - 255) * strength));
  }
  return mixed;
}

char capital(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// The name under which the table has the letters of a type.
const char* table_name(ResidueType type) {
  return type == ResidueType::protein ? "protein" : "nucleotide";
}

constexpr Rgb kPlainLetter = {0x44, 0x4b, 0x54};

}  // namespace

std::string hex_text(const Rgb& colour) {
  return formatted("#%02x%02x%02x", colour[0], colour[1], colour[2]);
}

Rgb ink_on(const Rgb& colour) {
  constexpr std::array<double, 3> kWeights = {0.2126, 0.7152, 0.0722};
  double luminance = 0;
  for (std::size_t k = 0; k < colour.size(); ++k) {
    const double value = colour[k] / 255.0;
    luminance +=
        kWeights[k] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  constexpr double kEqualContrast = 0.179;  // with black and with white
  return luminance > kEqualContrast ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

std::size_t ColumnCounts::place(char letter) {
  const char upper = capital(letter);
  return upper >= 'A' && upper <= 'Z' ? static_cast<std::size_t>(upper - 'A') : 26;
}

char ColumnCounts::most_frequent() const {
  const auto most = std::max_element(seen.begin(), seen.begin() + 26);
  return *most == 0 ? '\0' : static_cast<char>('A' + (most - seen.begin()));
}

double ColumnCounts::conservation() const {
  const std::uint32_t most = *std::max_element(seen.begin(), seen.end());
  return rows == 0 ? 0 : static_cast<double>(most) / rows;
}

std::vector<ColumnCounts> column_counts(const AlignmentText& text) {
  std::vector<ColumnCounts> counts(text.columns);
  for (ColumnCounts& column : counts) {
    column.rows = static_cast<std::uint32_t>(text.rows.size());
  }
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    const std::string_view letters = text.rows.residues(r);
    const std::span<const std::uint32_t> columns = text.rows.column_of(r);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      ++counts[columns[i]].seen[ColumnCounts::place(letters[i])];
      ++counts[columns[i]].residues;
    }
  }
  return counts;
}

/// What the table says of a scheme, by letter.
struct ColourScheme::Parts {
  struct Fill {
    Rgb colour;
    double strength;
  };
  /// A colour that letters have where one of some groups makes more than a share of the column.
  struct Rule {
    std::string letters;
    Rgb colour;
    std::vector<std::pair<double, std::string>> groups;
  };
  std::string name, label, note;
  double strength = 1;
  std::map<char, Fill> fill;         ///< of letters that always have a colour
  std::vector<LegendEntry> classes;  ///< of these letters
  std::optional<Rgb> all, other;     ///< of all letters; of those that are in no class
  std::optional<std::array<double, 2>> by_confidence;  ///< the strength at 0, and what 1 adds
  std::vector<Rule> rules;
  std::vector<std::pair<double, Rgb>> steps;  ///< of the most frequent letter, by its share
  std::optional<Rgb> same, similar;           ///< of the most frequent letter, and those like it
  std::map<char, std::string> positive;       ///< of each letter those that are like it

  void take_classes(const ordered_json& classes);
  void take_rules(const ordered_json& scheme);
  /// The colour, before it is mixed with white, and its strength.
  std::optional<Fill> fill_of(char letter, const ColumnCounts& column) const;
};

void ColourScheme::Parts::take_classes(const ordered_json& table) {
  for (const ordered_json& line : table) {
    const Fill one{rgb_of(line.at(1)), line.size() > 2 ? line.at(2).get<double>() : strength};
    const std::string letters = line.at(0);
    for (const char letter : letters) fill.emplace(letter, one);
    classes.push_back({on_white(one.colour, one.strength), letters});
  }
}

void ColourScheme::Parts::take_rules(const ordered_json& scheme) {
  for (const ordered_json& line : scheme.value("rules", ordered_json::array())) {
    Rule rule{line.at(0), rgb_of(line.at(1)), {}};
    for (std::size_t k = 2; k < line.size(); ++k) {
      rule.groups.emplace_back(line.at(k).at(0).get<double>(), line.at(k).at(1).get<std::string>());
    }
    const Rgb shown = on_white(rule.colour, strength);
    const auto known = std::find_if(classes.begin(), classes.end(), [&](const LegendEntry& entry) {
      return entry.colour == shown;
    });
    if (known == classes.end()) {
      classes.push_back({shown, rule.letters});
    } else {
      known->meaning += rule.letters;
    }
    rules.push_back(std::move(rule));
  }
  for (const ordered_json& line : scheme.value("steps", ordered_json::array())) {
    const double share = line.at(0);
    steps.emplace_back(share, rgb_of(line.at(1)));
    classes.push_back({steps.back().second, formatted("over %.0f %%", 100 * share)});
  }
  if (!scheme.contains("same")) return;
  same = rgb_of(scheme.at("same"));
  similar = rgb_of(scheme.at("similar"));
  classes = {{*same, "most frequent"}, {*similar, "positive score"}};
  for (const auto& [letter, others] : scheme.at("positive").items()) {
    positive[letter[0]] = others.get<std::string>();
  }
}

std::optional<ColourScheme::Parts::Fill> ColourScheme::Parts::fill_of(
    char letter, const ColumnCounts& column) const {
  if (const auto known = fill.find(letter); known != fill.end()) return known->second;
  for (const Rule& rule : rules) {
    if (rule.letters.find(letter) == rule.letters.npos) continue;
    for (const auto& group : rule.groups) {
      std::uint32_t seen = 0;
      for (const char one : group.second) seen += column.of(one);
      if (seen > group.first * column.rows) return Fill{rule.colour, strength};
    }
  }
  const char most = column.most_frequent();
  for (const auto& step : steps) {
    if (letter == most && column.conservation() > step.first) return Fill{step.second, strength};
  }
  if (same && letter == most) return Fill{*same, strength};
  if (const auto like = positive.find(most); like != positive.end()) {
    if (like->second.find(letter) != like->second.npos) return Fill{*similar, strength};
  }
  if (all) return Fill{*all, strength};
  if (other) return Fill{*other, strength};
  return std::nullopt;
}

ColourScheme::ColourScheme(const std::string& name, ResidueType type)
    : parts_(std::make_unique<Parts>()) {
  const ordered_json* scheme = scheme_named(name);
  if (scheme == nullptr) {
    throw Error(ErrorKind::usage, "no colours are named " + name,
                "use " + listed(colour_scheme_names()));
  }
  if (scheme->contains("of") && scheme->at("of") != table_name(type)) {
    throw Error(ErrorKind::usage,
                "the colours " + name + " are not for " + std::string(to_string(type)),
                type == ResidueType::protein ? "{colours=residues} and others are for proteins"
                                             : "{colours=nucleotides} and others are for bases");
  }
  parts_->name = name;
  parts_->label = scheme->at("label");
  parts_->note = scheme->value("note", "");
  if (scheme->contains("by_confidence")) {
    parts_->by_confidence = scheme->at("by_confidence").get<std::array<double, 2>>();
  }
  parts_->strength = scheme->value("strength", 1.0);
  if (scheme->contains("as")) scheme = scheme_named(scheme->at("as"));
  if (scheme->contains("colour")) parts_->all = rgb_of(scheme->at("colour"));
  if (scheme->contains("other")) parts_->other = rgb_of(scheme->at("other"));
  parts_->take_classes(scheme->value(table_name(type), ordered_json::array()));
  parts_->take_rules(*scheme);
  if (parts_->all) {
    parts_->classes = {{on_white(*parts_->all, parts_->strength), "1"},
                       {on_white(*parts_->all, parts_->strength / 2), "0.5"},
                       {on_white(*parts_->all, 0), "0"}};
  }
}

ColourScheme::~ColourScheme() = default;
ColourScheme::ColourScheme(ColourScheme&&) noexcept = default;
ColourScheme& ColourScheme::operator=(ColourScheme&&) noexcept = default;

std::optional<Rgb> ColourScheme::colour(char letter, const ColumnCounts& column,
                                        double sure) const {
  const auto fill = parts_->fill_of(capital(letter), column);
  if (!fill) return std::nullopt;
  if (!parts_->by_confidence || std::isnan(sure)) return on_white(fill->colour, fill->strength);
  const std::array<double, 2>& range = *parts_->by_confidence;
  return on_white(fill->colour, range[0] + range[1] * sure);
}

Rgb ColourScheme::letter_colour(char letter) const {
  const char upper = capital(letter);
  if (const auto known = parts_->fill.find(upper); known != parts_->fill.end()) {
    return known->second.colour;
  }
  for (const Parts::Rule& rule : parts_->rules) {
    if (rule.letters.find(upper) != rule.letters.npos) return rule.colour;
  }
  return kPlainLetter;
}

bool ColourScheme::colours_letters() const {
  return !parts_->fill.empty() || !parts_->rules.empty();
}

bool ColourScheme::needs_confidence() const { return parts_->by_confidence.has_value(); }
const std::string& ColourScheme::label() const { return parts_->label; }
const std::string& ColourScheme::note() const { return parts_->note; }
std::vector<LegendEntry> ColourScheme::legend() const { return parts_->classes; }

std::vector<std::string> colour_scheme_names() {
  std::vector<std::string> names;
  for (const ordered_json& scheme : schemes()) names.push_back(scheme.at("name"));
  return names;
}

}  // namespace accord
