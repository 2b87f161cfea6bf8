// SPDX-License-Identifier: Apache-2.0
#include "models/track_table.hpp"

#include <charconv>
#include <cmath>
#include <numeric>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr std::size_t kMostLetters = 64;
constexpr double kMostLogOdds = 20;  // in absolute value
constexpr double kLeastFrequency = 1e-9;
/// Track files have them as gaps, or at the beginning of names and comments.
constexpr std::string_view kNoLetters = "-~>;";

/// Reads the lines of a table.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& label) : lines_(text), label_(label) {}

  TrackTable read() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty()) continue;
      if (line[0] == '#') {
        read_comment(line);
      } else if (table_.letters.empty()) {
        read_letters(line);
      } else {
        read_row(line);
      }
    }
    finish();
    return std::move(table_);
  }

 private:
  /// Throws an error of the current line.
  [[noreturn]] void fail(const std::string& problem) const {
    refuse(label_ + ":" + std::to_string(lines_.number()), problem);
  }

  /// Throws an error of the table as a whole.
  [[noreturn]] void fail_whole(const std::string& problem) const { refuse(label_, problem); }

  [[noreturn]] static void refuse(const std::string& place, const std::string& problem) {
    throw Error(ErrorKind::bad_input, place + ": " + problem,
                "a table has a line of letters, and for each letter a line of log odds");
  }

  double number_of(std::string_view word) const {
    double value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() ||
        !std::isfinite(value)) {
      fail("not a number: " + quote(word));
    }
    return value;
  }

  std::vector<double> numbers_of(std::string_view line) const {
    std::vector<double> numbers;
    while (!trimmed(line).empty()) numbers.push_back(number_of(take_word(line)));
    return numbers;
  }

  char letter_of(std::string_view word) const {
    if (word.size() != 1 || word[0] < '!' || word[0] > '~' || word[0] == kUnknownTrackLetter ||
        kNoLetters.find(word[0]) != kNoLetters.npos) {
      fail("not a letter of a track: " + quote(word));
    }
    return word[0];
  }

  void read_comment(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view key = trimmed(line.substr(0, colon).substr(1));
    const bool is_scale = key.starts_with("Lambda");
    if (!is_scale && !key.starts_with("Background")) return;
    if (colon == line.npos) fail("no colon in front of the numbers");
    if (is_scale) {
      const std::vector<double> numbers = numbers_of(line.substr(colon + 1));
      if (numbers.size() != 1 || !(numbers[0] > 0)) fail("not a positive number behind Lambda");
      scale_ = numbers[0];
    } else {
      table_.frequencies = numbers_of(line.substr(colon + 1));
    }
  }

  void read_letters(std::string_view line) {
    while (!trimmed(line).empty()) {
      const char letter = letter_of(take_word(line));
      if (table_.place_of(letter)) fail(std::string("the letter ") + letter + " occurs twice");
      table_.letters += letter;
    }
    const std::size_t count = table_.letters.size();
    if (count < 2 || count > kMostLetters) {
      fail(counted(count, "letter") + "; a track has 2 to " + std::to_string(kMostLetters));
    }
    table_.log_odds.resize(count);
  }

  void read_row(std::string_view line) {
    const char letter = letter_of(take_word(line));
    const std::optional<std::size_t> place = table_.place_of(letter);
    if (!place) fail(std::string("the letter ") + letter + " is not in the line of letters");
    std::vector<double>& row = table_.log_odds[*place];
    if (!row.empty()) fail(std::string("the letter ") + letter + " occurs twice");
    row = numbers_of(line);
    if (row.size() != table_.letters.size()) {
      fail(counted(row.size(), "number") + " for " + counted(table_.letters.size(), "letter"));
    }
  }

  void finish() {
    const std::size_t count = table_.letters.size();
    if (count == 0) fail_whole("no table of log odds");
    for (std::size_t a = 0; a < count; ++a) {
      if (table_.log_odds[a].empty()) {
        fail_whole(std::string("no line for the letter ") + table_.letters[a]);
      }
      for (double& value : table_.log_odds[a]) {
        value *= scale_;
        if (!(std::fabs(value) <= kMostLogOdds)) {
          fail_whole(std::string("log odds of ") + table_.letters[a] + " beyond " +
                     std::to_string(static_cast<int>(kMostLogOdds)));
        }
      }
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (table_.log_odds[a][b] == table_.log_odds[b][a]) continue;
        fail_whole(std::string("two numbers for the letters ") + table_.letters[b] + " and " +
                   table_.letters[a]);
      }
    }
    set_frequencies();
  }

  void set_frequencies() {
    std::vector<double>& frequencies = table_.frequencies;
    if (frequencies.empty()) frequencies.assign(table_.letters.size(), 1);
    if (frequencies.size() != table_.letters.size()) {
      fail_whole(counted(frequencies.size(), "frequency", "frequencies") + " for " +
                 counted(table_.letters.size(), "letter"));
    }
    for (const double frequency : frequencies) {
      if (!(frequency > 0)) fail_whole("a frequency is not above 0");
    }
    const double sum = std::accumulate(frequencies.begin(), frequencies.end(), 0.0);
    for (double& frequency : frequencies) {
      frequency /= sum;
      if (!(frequency >= kLeastFrequency)) {
        fail_whole("a frequency is below 1e-9 of the sum of all");
      }
    }
  }

  LineReader lines_;
  const std::string& label_;
  TrackTable table_;
  double scale_ = 1;
};

}  // namespace

std::optional<std::size_t> TrackTable::place_of(char letter) const {
  const std::size_t place = letters.find(letter);
  return place == letters.npos ? std::nullopt : std::optional(place);
}

bool TrackTable::has_dot_brackets() const {
  return place_of('(') && place_of(')') && place_of('.');
}

bool TrackTable::takes_dssp() const {
  return letters.size() == 3 && place_of('H') && place_of('E') && place_of('C');
}

TrackTable parse_track_table(std::string_view text, const std::string& label) {
  TrackTable table = TableReader(text, label).read();
  table.name = label;
  table.text = text;
  return table;
}

const std::vector<std::string>& built_in_track_tables() {
  static const std::vector<std::string> names = {"fold", "mu", "rna", "ss3"};
  return names;
}

TrackTable built_in_track_table(const std::string& name) {
  const auto table = [&](std::string_view text, ResidueKind residues) {
    TrackTable parsed = parse_track_table(text, name);
    parsed.residues = residues;
    return parsed;
  };
  if (name == "fold") return table(track_fold_text(), ResidueKind::nucleotide);
  if (name == "mu") return table(track_mu_text(), ResidueKind::protein);
  if (name == "rna") return table(track_rna_text(), ResidueKind::nucleotide);
  if (name == "ss3") return table(track_ss3_text(), ResidueKind::protein);
  throw Error(ErrorKind::internal, "there is no table of log odds " + name);
}

}  // namespace accord
