// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "core/guide_tree.hpp"
#include "core/msa.hpp"
#include "core/posterior_set.hpp"
#include "models/parameters.hpp"

// Synthetic families for the tests of the alignment stages.
namespace accord::testing {

using Random = std::mt19937;

/// Every way of refining.

/// A whole number in [low, high].
inline std::uint32_t draw(Random& random, std::uint32_t low, std::uint32_t high) {
  return low + static_cast<std::uint32_t>(random() % (std::uint64_t{high} - low + 1));
}

/// Sets the number of threads until the end of a scope.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(thread_count()) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

/// A tree of two leaves, with the lengths of their branches.
inline GuideTree two_leaves(float first, float second) {
  GuideTree tree;
  tree.leaves = 2;
  tree.left = {0};
  tree.right = {1};
  tree.length = {first, second, 0.0f};
  return tree;
}

/// A random tree: two nodes without a parent are joined until one is left.
inline GuideTree random_tree(Random& random, std::uint32_t leaves) {
  GuideTree tree;
  tree.leaves = leaves;
  std::vector<std::uint32_t> open(leaves);
  for (std::uint32_t x = 0; x < leaves; ++x) open[x] = x;
  while (open.size() > 1) {
    std::shuffle(open.begin(), open.end(), random);
    tree.left.push_back(open[open.size() - 1]);
    tree.right.push_back(open[open.size() - 2]);
    open.pop_back();
    open.back() = tree.nodes() - 1;
  }
  tree.length.assign(tree.nodes(), 0.0f);
  for (std::uint32_t v = 0; v + 1 < tree.nodes(); ++v) {
    tree.length[v] = static_cast<float>(draw(random, 0, 100)) / 256.0f;
  }
  return tree;
}

inline std::vector<std::uint32_t> random_weights(Random& random, std::size_t count) {
  std::vector<std::uint32_t> weights;
  for (std::size_t x = 0; x < count; ++x) weights.push_back(draw(random, 1, 300));
  return weights;
}

inline std::vector<std::uint32_t> lengths_of(const Msa& msa) {
  std::vector<std::uint32_t> lengths;
  for (const auto& row : msa.column_of) lengths.push_back(static_cast<std::uint32_t>(row.size()));
  return lengths;
}

/// Removes the columns without a residue.
inline void squeeze(Msa& msa) {
  std::vector<std::uint32_t> map(msa.columns, 0);
  for (const auto& row : msa.column_of) {
    for (const std::uint32_t c : row) map[c] = 1;
  }
  std::uint32_t columns = 0;
  for (std::uint32_t& c : map) c = c == 0 ? 0 : columns++;
  for (auto& row : msa.column_of) {
    for (std::uint32_t& c : row) c = map[c];
  }
  msa.columns = columns;
}

/// An alignment of full columns with inserts between them, each of some rows only; one insert in
/// a place, so that the alignment can be told from its aligned pairs. Some rows are empty.
inline Msa random_anchored_msa(Random& random, std::uint32_t rows, std::uint32_t anchors) {
  Msa msa;
  msa.column_of.resize(rows);
  std::vector<bool> is_empty(rows);
  for (std::uint32_t x = 0; x < rows; ++x) is_empty[x] = random() % 8 == 0;
  for (std::uint32_t anchor = 0; anchor < anchors; ++anchor) {
    std::vector<bool> has_insert(rows);
    for (std::uint32_t x = 0; x < rows; ++x) has_insert[x] = random() % 2 == 0;
    const std::uint32_t insert = random() % 4 == 0 ? draw(random, 1, 5) : 0;
    for (std::uint32_t c = 0; c <= insert; ++c, ++msa.columns) {
      for (std::uint32_t x = 0; x < rows; ++x) {
        if (!is_empty[x] && (c == 0 || has_insert[x])) msa.column_of[x].push_back(msa.columns);
      }
    }
  }
  squeeze(msa);
  return msa;
}

/// Any alignment: each row has a residue in a column with the given chance (of 100).
inline Msa random_msa(Random& random, std::uint32_t rows, std::uint32_t columns,
                      std::uint32_t chance) {
  Msa msa;
  msa.columns = columns;
  msa.column_of.resize(rows);
  for (auto& row : msa.column_of) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (draw(random, 1, 100) <= chance) row.push_back(c);
    }
  }
  squeeze(msa);
  return msa;
}

/// Certainty for the aligned pairs of an alignment. Pairs with an empty row are left without a
/// matrix, as the posterior stage does.
inline PosteriorSet exact_posteriors(const Msa& msa) {
  PosteriorSet set(msa.column_of.size());
  for (std::size_t y = 0; y < msa.column_of.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      const auto& a = msa.column_of[x];
      const auto& b = msa.column_of[y];
      if (a.empty() || b.empty()) continue;
      SparseMatrixBuilder builder(static_cast<std::uint32_t>(b.size()));
      for (const std::uint32_t c : a) {
        const auto at = std::lower_bound(b.begin(), b.end(), c);
        if (at != b.end() && *at == c) {
          builder.add(static_cast<std::uint32_t>(at - b.begin()), 65535);
        }
        builder.end_row();
      }
      set.at(x, y) = builder.finish();
    }
  }
  return set;
}

/// Cells near the diagonal, `per_row` on average, and now and then one far from it. Probabilities
/// are multiples of 1/levels, so that a small number of levels makes many ties.
inline PosteriorSet random_posteriors(Random& random, const std::vector<std::uint32_t>& lengths,
                                      std::uint32_t per_row, std::uint32_t levels) {
  PosteriorSet set(lengths.size());
  for (std::size_t y = 0; y < lengths.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      if (lengths[x] == 0 || lengths[y] == 0) continue;
      SparseMatrixBuilder builder(lengths[y]);
      for (std::uint32_t i = 0; i < lengths[x]; ++i) {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t k = draw(random, 0, 2 * per_row); k > 0; --k) {
          const std::uint32_t center =
              random() % 50 == 0 ? draw(random, 0, lengths[y]) : i * lengths[y] / lengths[x];
          columns.push_back(std::min(lengths[y] - 1, center + draw(random, 0, 2 * per_row)));
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (const std::uint32_t j : columns) {
          builder.add(j, draw(random, 1, levels) * (65535 / levels));
        }
        builder.end_row();
      }
      set.at(x, y) = builder.finish();
    }
  }
  return set;
}

/// True if the rows have the given lengths, increase strictly, stay below the number of columns,
/// and no column is empty.
inline bool is_valid(const Msa& msa, const std::vector<std::uint32_t>& lengths) {
  if (lengths_of(msa) != lengths) return false;
  std::vector<bool> used(msa.columns, false);
  for (const auto& row : msa.column_of) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= msa.columns || (i > 0 && row[i] <= row[i - 1])) return false;
      used[row[i]] = true;
    }
  }
  return std::find(used.begin(), used.end(), false) == used.end();
}

}  // namespace accord::testing
