// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include "app/cli/help.hpp"

namespace accord {
namespace {

/// Letters added, left out, replaced or swapped with a neighbour between two words.
std::size_t edits(const std::string& a, const std::string& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return cost[i * columns + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + !same});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

}  // namespace

std::string meant_word(const std::string& word, const std::vector<std::string>& words) {
  constexpr std::size_t kLong = 5, kLongest = 40;
  if (word.size() < 2 || word.size() > kLongest) return {};
  std::size_t least = word.size() >= kLong ? 3 : 2;
  std::string best;
  for (const std::string& other : words) {
    const std::size_t distance = edits(word, other);
    if (distance == 0) return {};
    if (distance < least) {
      least = distance;
      best = other;
    }
  }
  return best;
}

std::string contained_word(const std::string& word, const std::vector<std::string>& words) {
  constexpr std::size_t kShortest = 3;
  const std::string between = "-" + word + "-";
  std::string best;
  for (const std::string& other : words) {
    if (other.size() < kShortest || other.size() <= best.size()) continue;
    if (word.starts_with(other) || between.find("-" + other + "-") != std::string::npos) {
      best = other;
    }
  }
  return best;
}

}  // namespace accord
