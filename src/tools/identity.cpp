// SPDX-License-Identifier: Apache-2.0
#include "tools/identity.hpp"

#include <array>
#include <cctype>
#include <cstdint>
#include <limits>

#include "base/parallel.hpp"

namespace accord {
namespace {

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

double pairs_of(std::uint64_t n) { return static_cast<double>(n) * static_cast<double>(n - 1) / 2; }

float distance_of(const std::string& a, const std::string& b) {
  std::uint32_t both = 0, same = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const bool are_residues = a[c] != '-' && b[c] != '-';
    both += are_residues;
    same += are_residues && a[c] == b[c];
  }
  return both == 0 ? 1.0f : 1.0f - static_cast<float>(same) / static_cast<float>(both);
}

}  // namespace

double mean_identity(const std::vector<std::string>& rows) {
  double same = 0, all = 0;
  for (std::size_t c = 0; c < (rows.empty() ? 0 : rows[0].size()); ++c) {
    std::array<std::uint64_t, 256> count{};
    std::uint64_t residues = 0;
    for (const std::string& row : rows) {
      if (row[c] == '-') continue;
      ++count[static_cast<unsigned char>(upper(row[c]))];
      ++residues;
    }
    if (residues < 2) continue;
    all += pairs_of(residues);
    for (const std::uint64_t n : count) {
      if (n > 1) same += pairs_of(n);
    }
  }
  return all > 0 ? same / all : std::numeric_limits<double>::quiet_NaN();
}

DistanceMatrix identity_distances(const std::vector<std::string>& rows, const SequenceSet& set) {
  std::vector<std::string> upper_rows(rows.size());  // canonical order
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::string& row = upper_rows[set.from_input(k)];
    for (const char c : rows[k]) row += upper(c);
  }
  DistanceMatrix distances(rows.size());
  parallel_for(rows.size(), [&](std::size_t y, int) {
    for (std::size_t x = 0; x < y; ++x) {
      distances.set(x, y, distance_of(upper_rows[x], upper_rows[y]));
    }
  });
  return distances;
}

}  // namespace accord
