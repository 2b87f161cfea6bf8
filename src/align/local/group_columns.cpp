// SPDX-License-Identifier: Apache-2.0
#include "align/local/group_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/parallel.hpp"

namespace accord {
namespace {

/// The number of columns that are counted at a time: their letters stay in the cache.
constexpr std::size_t kBlockColumns = 512;

/// Fewer residues are not worth a parallel loop.
constexpr std::size_t kParallelResidues = 20000;

/// The rows of a profile, from which sums of weights are computed.
struct Rows {
  const Profile& profile;
  std::span<const std::vector<std::uint32_t>> column_of;
  const CodedSequences& sequences;
  std::span<const std::uint32_t> weights;

  std::size_t residues() const {
    std::size_t count = 0;
    for (const std::uint32_t x : profile.rows) count += column_of[x].size();
    return count;
  }
};

/// Weight sums for the rows whose first residue, last residue, residue before a gap, or residue
/// behind a gap is in a column. A gap is between two residues of a row.
struct Ends {
  std::vector<double> first, last, before_gap, behind_gap;
};

/// The letters of a range of columns, and for each column the offset of its letters.
struct Letters {
  std::vector<std::size_t> first;
  std::vector<GroupColumns::Letter> letters;
};

/// Counts columns [begin, end) of all rows; begin is at least 1. Writes only to these columns of
/// `residues` and `ends`, so that threads can count different ranges.
Letters count_columns(const Rows& rows, std::size_t begin, std::size_t end,
                      std::vector<double>& residues, Ends& ends) {
  std::vector<std::array<double, ACCORD_SYMBOLS>> sums(end - begin);
  std::vector<std::uint32_t> codes_of(end - begin, 0);  // a bit for each letter
  static_assert(ACCORD_SYMBOLS <= 32);
  for (const std::uint32_t x : rows.profile.rows) {
    const std::span<const std::uint8_t> codes = rows.sequences.codes(x);
    const std::span<const std::uint32_t> columns = rows.column_of[x];
    const double weight = rows.weights[x];
    std::size_t i = static_cast<std::size_t>(
        std::lower_bound(columns.begin(), columns.end(), begin - 1) - columns.begin());
    bool is_behind_gap = i > 0 && i < columns.size() && columns[i - 1] + 1 != columns[i];
    for (; i < columns.size() && columns[i] + 1 < end; ++i) {
      const std::size_t c = std::size_t{columns[i]} + 1;
      sums[c - begin][codes[i]] += weight;
      codes_of[c - begin] |= 1u << codes[i];
      if (i == 0) ends.first[c] += weight;
      if (is_behind_gap) ends.behind_gap[c] += weight;
      if (i + 1 == columns.size()) {
        ends.last[c] += weight;
        break;
      }
      is_behind_gap = columns[i] + 1 != columns[i + 1];
      if (is_behind_gap) ends.before_gap[c] += weight;
    }
  }
  Letters found;
  for (std::size_t c = begin; c < end; ++c) {
    found.first.push_back(found.letters.size());
    for (std::uint32_t left = codes_of[c - begin]; left != 0; left &= left - 1) {
      const auto code = static_cast<std::uint8_t>(std::countr_zero(left));
      found.letters.push_back({code, sums[c - begin][code]});
      residues[c] += sums[c - begin][code];
    }
  }
  return found;
}

}  // namespace

GroupColumns group_columns(const Profile& profile,
                           std::span<const std::vector<std::uint32_t>> column_of,
                           const CodedSequences& sequences,
                           std::span<const std::uint32_t> weights) {
  const std::size_t width = std::size_t{profile.columns} + 1;
  GroupColumns group;
  Ends ends;
  for (auto* sums : {&group.residues, &group.residue_pairs, &group.gaps, &group.gap_pairs,
                     &group.inner, &ends.first, &ends.last, &ends.before_gap, &ends.behind_gap}) {
    sums->assign(width, 0);
  }
  const Rows rows{profile, column_of, sequences, weights};
  std::vector<Letters> blocks((width - 1 + kBlockColumns - 1) / kBlockColumns);
  const auto count_block = [&](std::size_t k, int) {
    const std::size_t begin = 1 + k * kBlockColumns;
    blocks[k] =
        count_columns(rows, begin, std::min(width, begin + kBlockColumns), group.residues, ends);
  };
  const bool is_alone = blocks.size() < 2 || rows.residues() < kParallelResidues;
  const LocalThreadCount scope(is_alone ? 1 : thread_count());
  parallel_for(blocks.size(), count_block);

  // In residue_pairs, a residue counts unless it is the first of its row or behind a gap; in inner,
  // unless it is the last. Gaps are counted from the columns where they begin and end.
  for (std::size_t c = 1; c < width; ++c) {
    const double opened = ends.before_gap[c - 1], closed = ends.behind_gap[c];
    group.residue_pairs[c] = group.residues[c] - ends.first[c] - closed;
    group.gaps[c] = group.gaps[c - 1] + opened - closed;
    group.gap_pairs[c] = group.gap_pairs[c - 1] + (c > 1 ? ends.before_gap[c - 2] : 0) - closed;
    group.inner[c] = group.residues[c] - ends.last[c] + group.gaps[c];
  }
  group.first.reserve(width + 1);
  group.first.push_back(0);  // column 0 has no letters
  for (const Letters& block : blocks) {
    for (const std::size_t first : block.first) {
      group.first.push_back(group.letters.size() + first);
    }
    group.letters.insert(group.letters.end(), block.letters.begin(), block.letters.end());
  }
  group.first.push_back(group.letters.size());
  return group;
}

}  // namespace accord
