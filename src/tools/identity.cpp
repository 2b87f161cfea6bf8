// SPDX-License-Identifier: Apache-2.0
#include "tools/identity.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/parallel.hpp"
#include "core/compared_letter.hpp"

namespace accord {
namespace {

constexpr char kGap = '-';

/// The rows in letters that can be compared.
std::vector<std::string> compared_rows(const std::vector<std::string>& rows, ResidueType type) {
  std::array<char, 256> letter{};
  for (std::size_t c = 0; c < letter.size(); ++c) {
    const char given = static_cast<char>(c);
    letter[c] = given == kGap ? kGap : compared_letter(type, given);
  }
  std::vector<std::string> compared = rows;
  for (std::string& row : compared) {
    for (char& c : row) c = letter[static_cast<unsigned char>(c)];
  }
  return compared;
}

double pairs_of(std::uint64_t n) {
  return n == 0 ? 0 : static_cast<double>(n) * static_cast<double>(n - 1) / 2;
}

/// Identical pairs, and what they are divided by.
struct Counts {
  double same = 0, all = 0;

  double identity() const {
    return all > 0 ? same / all : std::numeric_limits<double>::quiet_NaN();
  }
};

Counts counts_of(const std::string& a, const std::string& b, IdentityOver over) {
  std::uint32_t both = 0, same = 0, only_a = 0, only_b = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const bool is_known = a[c] != kUnknownLetter && b[c] != kUnknownLetter;
    const bool has_a = is_known && a[c] != kGap, has_b = is_known && b[c] != kGap;
    both += has_a && has_b;
    only_a += has_a && !has_b;
    only_b += has_b && !has_a;
    same += has_a && a[c] == b[c];
  }
  const std::uint32_t more = over == IdentityOver::aligned   ? 0
                             : over == IdentityOver::shorter ? std::min(only_a, only_b)
                                                             : only_a + only_b;
  return {static_cast<double>(same), static_cast<double>(both) + more};
}

/// The counts of all pairs of a column's letters.
Counts counts_of_column(const std::vector<std::string>& rows, std::size_t c, IdentityOver over) {
  std::array<std::uint64_t, 256> count{};
  for (const std::string& row : rows) ++count[static_cast<unsigned char>(row[c])];
  const std::uint64_t gaps = count[static_cast<unsigned char>(kGap)];
  const std::uint64_t residues =
      rows.size() - gaps - count[static_cast<unsigned char>(kUnknownLetter)];
  count[static_cast<unsigned char>(kGap)] = count[static_cast<unsigned char>(kUnknownLetter)] = 0;
  Counts counts{0, pairs_of(residues)};
  for (const std::uint64_t n : count) counts.same += pairs_of(n);
  if (over == IdentityOver::columns) {
    counts.all += static_cast<double>(residues) * static_cast<double>(gaps);
  }
  return counts;
}

}  // namespace

double mean_identity(const std::vector<std::string>& rows, ResidueType type, IdentityOver over) {
  const std::vector<std::string> compared = compared_rows(rows, type);
  std::vector<Counts> parts;  // of columns or rows
  if (over == IdentityOver::shorter) {
    parts.resize(rows.size());
    parallel_for(rows.size(), [&](std::size_t y, int) {
      for (std::size_t x = 0; x < y; ++x) {
        const Counts pair = counts_of(compared[x], compared[y], over);
        parts[y].same += pair.same;
        parts[y].all += pair.all;
      }
    });
  } else {
    for (std::size_t c = 0; c < (rows.empty() ? 0 : rows[0].size()); ++c) {
      parts.push_back(counts_of_column(compared, c, over));
    }
  }
  Counts sum;
  for (const Counts& part : parts) {
    sum.same += part.same;
    sum.all += part.all;
  }
  return sum.identity();
}

DistanceMatrix identity_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                                  IdentityOver over) {
  std::vector<std::string> compared = compared_rows(rows, set.type());
  std::vector<std::string> canonical(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    canonical[set.from_input(k)] = std::move(compared[k]);
  }
  DistanceMatrix distances(rows.size());
  parallel_for(rows.size(), [&](std::size_t y, int) {
    for (std::size_t x = 0; x < y; ++x) {
      const double identity = counts_of(canonical[x], canonical[y], over).identity();
      distances.set(x, y, 1.0f - static_cast<float>(identity));
    }
  });
  return distances;
}

}  // namespace accord
