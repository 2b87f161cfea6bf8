// SPDX-License-Identifier: Apache-2.0
#include "method/structures/lddt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/parallel.hpp"
#include "method/structures/superposition.hpp"

namespace accord {
namespace {

constexpr double kRadius = 15;  // Å
constexpr double kThresholds[] = {0.5, 1, 2, 4};
constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

/// A residue near another one of the same chain.
struct Neighbour {
  std::uint32_t residue;
  double distance;
};

/// For each residue of a trace, the residues within the radius.
std::vector<std::vector<Neighbour>> neighbours_of(const Trace& trace) {
  std::vector<std::vector<Neighbour>> near(trace.size());
  for (std::uint32_t i = 0; i < trace.size(); ++i) {
    for (std::uint32_t k = 0; k < i && trace[i]; ++k) {
      if (!trace[k]) continue;
      const double apart = distance(*trace[i], *trace[k]);
      if (apart >= kRadius) continue;
      near[i].push_back({k, apart});
      near[k].push_back({i, apart});
    }
  }
  return near;
}

/// A sum of shares, and their number.
struct MeanSum {
  double sum = 0;
  std::size_t count = 0;

  void add(double share) {
    sum += share;
    ++count;
  }
  void add(const MeanSum& other) {
    sum += other.sum;
    count += other.count;
  }
  float mean() const {
    return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : kUnknown;
  }
};

/// Adds the shares of the residues of x, with y, to the sums of these residues. `partner`: for each
/// residue of x the residue of y in its column, or kNowhere.
void add_shares(const Trace& x, const Trace& y, const std::vector<std::uint32_t>& partner,
                const std::vector<std::vector<Neighbour>>& near, std::vector<MeanSum>& sums) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!x[i] || partner[i] == kNowhere || !y[partner[i]]) continue;
    int compared = 0, preserved = 0;
    for (const Neighbour& neighbour : near[i]) {
      const std::uint32_t l = partner[neighbour.residue];
      if (l == kNowhere || !y[l]) continue;
      const double change = std::abs(neighbour.distance - distance(*y[partner[i]], *y[l]));
      compared += static_cast<int>(std::size(kThresholds));
      for (const double threshold : kThresholds) preserved += change < threshold;
    }
    if (compared > 0) sums[i].add(static_cast<double>(preserved) / compared);
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> structure_pairs(std::size_t count, std::size_t most) {
  const std::size_t others = count > 0 ? count - 1 : 0;
  const std::size_t of_each =
      count * others <= most ? others : std::max<std::size_t>(1, most / count);
  std::vector<std::vector<std::size_t>> pairs(count);
  for (std::size_t x = 0; x < count; ++x) {
    for (std::size_t k = 0; k < of_each; ++k) {
      pairs[x].push_back((x + 1 + k * others / of_each) % count);
    }
  }
  return pairs;
}

std::optional<Lddt> alignment_lddt(const SequenceSet& set, const Msa& msa) {
  const std::vector<std::uint32_t> members = sequences_with_traces(set);
  if (members.size() < 2) return std::nullopt;
  const auto pairs = structure_pairs(members.size(), kMostLddtPairs);
  std::vector<std::vector<MeanSum>> sums(members.size());
  parallel_for(members.size(), [&](std::size_t m, int) {
    const std::uint32_t x = members[m];
    const std::vector<std::uint32_t>& column_of = msa.column_of[x];
    const std::vector<std::vector<Neighbour>> near = neighbours_of(set.trace(x));
    sums[m].resize(column_of.size());
    std::vector<std::uint32_t> in_column(msa.columns, kNowhere), partner(column_of.size());
    for (const std::size_t other : pairs[m]) {
      const std::uint32_t y = members[other];
      std::fill(in_column.begin(), in_column.end(), kNowhere);
      for (std::uint32_t j = 0; j < msa.column_of[y].size(); ++j)
        in_column[msa.column_of[y][j]] = j;
      for (std::size_t i = 0; i < partner.size(); ++i) partner[i] = in_column[column_of[i]];
      add_shares(set.trace(x), set.trace(y), partner, near, sums[m]);
    }
  });
  Lddt lddt;
  lddt.residue.resize(set.size());
  std::vector<MeanSum> columns(msa.columns);
  MeanSum all;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::uint32_t x = members[m];
    for (std::size_t i = 0; i < sums[m].size(); ++i) {
      lddt.residue[x].push_back(sums[m][i].mean());
      columns[msa.column_of[x][i]].add(sums[m][i]);
      all.add(sums[m][i]);
    }
  }
  for (const MeanSum& column : columns) lddt.column.push_back(column.mean());
  lddt.mean = all.count > 0 ? all.sum / static_cast<double>(all.count)
                            : std::numeric_limits<double>::quiet_NaN();
  lddt.pairs = all.count;
  return lddt;
}

}  // namespace accord
