// SPDX-License-Identifier: Apache-2.0
#include "io/formats/dot_bracket.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "accord/base/error.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kOpening = "([{<ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kClosing = ")]}>abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kBrackets = 4;  // the others are letters
constexpr std::string_view kUnpairedMarks = ",:_";

bool has(std::string_view characters, char c) { return characters.find(c) != characters.npos; }

[[noreturn]] void refuse(const std::string& what, char c, std::size_t i,
                         const std::string& problem) {
  throw Error(
      ErrorKind::bad_input,
      what + quote(std::string(1, c)) + " for residue " + std::to_string(i + 1) + ", " + problem,
      "brackets come in pairs; write . where the partner is not in the sequence");
}

/// The open pairs of each kind.
class OpenPairs {
 public:
  OpenPairs(std::string_view structure, const std::string& what)
      : structure_(structure), what_(what) {}

  void open(std::size_t kind, std::size_t i) { places_[kind].push_back(i); }

  /// The place that opens the pair.
  std::size_t close(std::size_t kind, std::size_t i) {
    if (places_[kind].empty()) refuse(what_, structure_[i], i, "which closes no pair");
    const std::size_t opened = places_[kind].back();
    places_[kind].pop_back();
    return opened;
  }

  /// Throws if a pair is open.
  void finish() const {
    std::optional<std::size_t> first;
    for (const std::vector<std::size_t>& open : places_) {
      if (!open.empty() && open.front() < first.value_or(structure_.size())) first = open.front();
    }
    if (first) refuse(what_, structure_[*first], *first, "whose pair is not closed");
  }

 private:
  std::string_view structure_;
  const std::string& what_;
  std::array<std::vector<std::size_t>, kOpening.size()> places_;
};

}  // namespace

DotBracket read_dot_bracket(std::string_view structure, std::string_view letters,
                            const std::string& what) {
  DotBracket read{std::string(structure), {}};
  std::string& plain = read.letters;
  OpenPairs pairs(structure, what);
  for (std::size_t i = 0; i < structure.size(); ++i) {
    const char c = structure[i];
    const bool is_letter = has(letters, c);
    const std::size_t opened = kOpening.find(c), closed = kClosing.find(c);
    const bool opens = opened != kOpening.npos;
    if (!opens && closed == kClosing.npos) {
      if (!is_letter && has(kUnpairedMarks, c)) plain[i] = '.';
      continue;
    }
    const std::size_t kind = opens ? opened : closed;
    if (is_letter && kind >= kBrackets) continue;
    if (!is_letter) plain[i] = opens ? '(' : ')';
    if (opens) {
      pairs.open(kind, i);
    } else {
      read.pairs.push_back(
          {static_cast<std::uint32_t>(pairs.close(kind, i)), static_cast<std::uint32_t>(i), 1});
    }
  }
  pairs.finish();
  std::sort(read.pairs.begin(), read.pairs.end(),
            [](const BasePair& a, const BasePair& b) { return a.first < b.first; });
  return read;
}

std::string written_dot_bracket(const DotBracket& structure) {
  // The open pairs of `(`, and of each letter: the places where they close.
  std::array<std::vector<std::uint32_t>, 1 + kOpening.size() - kBrackets> closings;
  std::string written = structure.letters;
  for (const BasePair& pair : structure.pairs) {
    if (written[pair.first] != '(' || written[pair.second] != ')') continue;  // of the table
    std::size_t kind = 0;
    for (; kind < closings.size(); ++kind) {
      std::vector<std::uint32_t>& open = closings[kind];
      while (!open.empty() && open.back() < pair.first) open.pop_back();
      if (open.empty() || open.back() > pair.second) break;
    }
    if (kind == closings.size()) {
      throw Error(ErrorKind::bad_input,
                  "writing a structure whose pairs cross each other more than 26 times",
                  "leave out pairs of pseudoknots");
    }
    closings[kind].push_back(pair.second);
    if (kind == 0) continue;
    written[pair.first] = kOpening[kBrackets + kind - 1];
    written[pair.second] = kClosing[kBrackets + kind - 1];
  }
  return written;
}

}  // namespace accord
