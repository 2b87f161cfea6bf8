// SPDX-License-Identifier: Apache-2.0
#include "accord/align/group_columns.hpp"

#include <array>

namespace accord {

GroupColumns group_columns(const Profile& profile,
                           std::span<const std::vector<std::uint32_t>> column_of,
                           const CodedSequences& sequences,
                           std::span<const std::uint32_t> weights) {
  const std::size_t width = std::size_t{profile.columns} + 1;
  GroupColumns group;
  for (auto* sums :
       {&group.residues, &group.residue_pairs, &group.gaps, &group.gap_pairs, &group.inner}) {
    sums->assign(width, 0);
  }
  std::vector<std::array<double, ACCORD_SYMBOLS>> sums(width);
  for (const std::uint32_t x : profile.rows) {
    const std::span<const std::uint8_t> codes = sequences.codes(x);
    const std::vector<std::uint32_t>& columns = column_of[x];
    const double weight = weights[x];
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::size_t c = std::size_t{columns[i]} + 1;
      sums[c][codes[i]] += weight;
      group.residues[c] += weight;
      if (i > 0 && columns[i - 1] + 1 == columns[i]) group.residue_pairs[c] += weight;
      if (i + 1 == codes.size()) break;
      group.inner[c] += weight;
      // A gap, if there is one, begins behind c: its first column has no gap before.
      const std::size_t end = std::size_t{columns[i + 1]} + 1;
      if (end == c + 1) continue;
      group.gaps[c + 1] += weight;
      group.gaps[end] -= weight;
      group.gap_pairs[c + 2] += weight;
      group.gap_pairs[end] -= weight;
    }
  }
  // From where gaps begin and end to sums of the sequences that have one.
  for (std::size_t c = 1; c < width; ++c) {
    group.gaps[c] += group.gaps[c - 1];
    group.gap_pairs[c] += group.gap_pairs[c - 1];
    group.inner[c] += group.gaps[c];
  }
  for (const auto& of_column : sums) {
    group.first.push_back(group.letters.size());
    for (std::size_t code = 0; code < of_column.size(); ++code) {
      if (of_column[code] == 0) continue;
      group.letters.push_back({static_cast<std::uint8_t>(code), of_column[code]});
    }
  }
  group.first.push_back(group.letters.size());
  return group;
}

}  // namespace accord
