// SPDX-License-Identifier: Apache-2.0
#include "tools/identity.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "tools/row_bits.hpp"

namespace accord {
namespace {

/// The rows in the form in which letters are compared (compared_letter); gaps stay.
std::vector<std::string> compared_rows(const std::vector<std::string>& rows, ResidueType type) {
  std::array<char, 256> letter{};
  for (std::size_t c = 0; c < letter.size(); ++c) {
    const char character = static_cast<char>(c);
    letter[c] = character == kGap ? kGap : compared_letter(type, character);
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

/// The number of identical pairs, and its divisor.
struct Counts {
  double same = 0, all = 0;

  double identity() const {
    return all > 0 ? same / all : std::numeric_limits<double>::quiet_NaN();
  }
};

/// The counts over all pairs of letters in a column.
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

/// The counts over all pairs of rows; the divisor is the length of the shorter row of each pair.
std::vector<Counts> counts_of_rows(const std::vector<std::string>& rows, ResidueType type) {
  const RowBits bits(rows, type);
  std::vector<Counts> parts(rows.size());
  parallel_for(rows.size(), [&](std::size_t y, int) {
    for (std::size_t x = 0; x < y; ++x) {
      const PairCounts pair = bits.compare(x, y);
      parts[y].same += static_cast<double>(pair.both - pair.differ);
      parts[y].all += static_cast<double>(pair.both + std::min(pair.only_x, pair.only_y));
    }
  });
  return parts;
}

}  // namespace

IdentityOver identity_over(const std::string& word, const std::string& what) {
  if (word == "aligned") return IdentityOver::aligned;
  if (word == "shorter") return IdentityOver::shorter;
  if (word == "columns") return IdentityOver::columns;
  throw Error(ErrorKind::usage, what + " " + word + ": unknown word",
              "use aligned, shorter or columns");
}

double mean_identity(const std::vector<std::string>& rows, ResidueType type, IdentityOver over) {
  std::vector<Counts> parts;  // per column, or per row
  if (over == IdentityOver::shorter) {
    parts = counts_of_rows(rows, type);
  } else {
    const std::vector<std::string> compared = compared_rows(rows, type);
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

}  // namespace accord
