// SPDX-License-Identifier: Apache-2.0
#include "accord/host/consistency.hpp"

#include <algorithm>

#include "accord/base/parallel.hpp"
#include "accord/core/residue_terms.hpp"
#include "shared/consistency.h"

namespace accord::host {
namespace {

/// Memory for the term lists of one block of y's.
constexpr std::size_t kBlockBytes = std::size_t{1} << 30;

/// For each residue i of one sequence x, its posterior cells against all other sequences: a
/// sparse vector over the residues of the family, indices increasing.
struct ResidueTerms {
  std::vector<std::uint32_t> begin{0};  // rows + 1 offsets
  std::vector<std::uint32_t> index;
  std::vector<float> value;

  ResidueTerms() = default;
  ResidueTerms(const PosteriorSet& set, std::span<const std::uint32_t> offsets, std::uint32_t x) {
    for (std::uint32_t count : count_residue_terms(set, x)) begin.push_back(begin.back() + count);
    index.resize(begin.back());
    value.resize(begin.back());
    fill_residue_terms(set, offsets, x, begin, index.data(), value.data());
  }
};

/// One pair of the batch that shares its x with others, and where its result goes.
struct Partner {
  std::uint32_t y;
  std::size_t result;
};

/// What is the same for all pairs of a round.
struct Round {
  const Kernels& kernels;
  const PosteriorSet& set;
  std::span<const float> weights;
  const ConsistencyParams& params;
  RelaxWeights relax_weights;
  std::vector<std::uint32_t> offsets;
};

/// The pairs (x, y) of one x against a block of y's.
void relax_x(const Round& round, std::uint32_t x, std::span<const Partner> partners,
             std::span<const ResidueTerms> terms_of_y, std::vector<float>& weighted,
             std::vector<SparseMatrix>& results) {
  const ResidueTerms terms(round.set, round.offsets, x);
  std::vector<float> weight_of(terms.index.size());
  for (std::size_t t = 0; t < terms.index.size(); ++t) {
    const auto z = std::upper_bound(round.offsets.begin(), round.offsets.end(), terms.index[t]);
    weight_of[t] = round.weights[static_cast<std::size_t>(z - round.offsets.begin()) - 1];
  }
  std::vector<SparseMatrixBuilder> builders;
  for (const Partner& partner : partners) {
    builders.emplace_back(round.set.at(x, partner.y).cols());
  }
  std::vector<std::uint32_t> columns, units;
  weighted.resize(round.offsets.back(), 0.0f);
  for (std::uint32_t i = 0; i + 1 < terms.begin.size(); ++i) {
    for (std::uint32_t t = terms.begin[i]; t < terms.begin[i + 1]; ++t) {
      weighted[terms.index[t]] = accord_relax_weighted(weight_of[t], terms.value[t]);
    }
    for (std::size_t p = 0; p < partners.size(); ++p) {
      const std::uint32_t y = partners[p].y;
      columns.clear();
      units.clear();
      round.set.at(x, y).for_each_in_row(i, [&](std::uint32_t column, std::uint32_t cell) {
        columns.push_back(column);
        units.push_back(cell);
      });
      const ResidueTerms& of_y = terms_of_y[y];
      round.kernels.relax_row(
          {weighted.data(), of_y.begin.data(), of_y.index.data(), of_y.value.data(), columns.data(),
           units.data(), static_cast<std::uint32_t>(columns.size()), round.relax_weights.self(x, y),
           round.relax_weights.inverse_total(x, y), round.params.cutoff});
      for (std::size_t c = 0; c < columns.size(); ++c) builders[p].add(columns[c], units[c]);
      builders[p].end_row();
    }
    for (std::uint32_t t = terms.begin[i]; t < terms.begin[i + 1]; ++t) {
      weighted[terms.index[t]] = 0.0f;
    }
  }
  for (std::size_t p = 0; p < partners.size(); ++p) {
    results[partners[p].result] = builders[p].finish();
  }
}

/// Bytes of the term lists of each sequence.
std::vector<std::size_t> term_bytes(const PosteriorSet& set) {
  std::vector<std::size_t> bytes(set.sequences(), 0);
  for (std::uint32_t y = 1; y < set.sequences(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const std::size_t cells = set.at(x, y).packed().size();
      bytes[x] += 8 * cells;
      bytes[y] += 8 * cells;
    }
  }
  return bytes;
}

}  // namespace

std::vector<SparseMatrix> relax(const Kernels& kernels, const PosteriorSet& current,
                                const RelaxBatch& batch, std::span<const float> weights,
                                const ConsistencyParams& params) {
  const Round round{kernels,
                    current,
                    weights,
                    params,
                    RelaxWeights(weights, params.self_weight),
                    family_offsets(current)};
  const std::vector<std::size_t> bytes = term_bytes(current);
  const auto n = static_cast<std::uint32_t>(current.sequences());

  std::vector<SparseMatrix> results(batch.pairs.size());
  std::vector<std::vector<float>> weighted(static_cast<std::size_t>(thread_count()));
  for (std::uint32_t first = 0, last = 0; first < n; first = last) {
    std::size_t block_bytes = 0;
    while (last < n && (last == first || block_bytes + bytes[last] <= kBlockBytes)) {
      block_bytes += bytes[last++];
    }
    std::vector<std::vector<Partner>> partners(n);
    for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
      const PairIndex pair = batch.pairs[k];
      if (pair.y >= first && pair.y < last) partners[pair.x].push_back({pair.y, k});
    }
    std::vector<ResidueTerms> terms_of_y(n);
    parallel_for(last - first, [&](std::size_t k, int) {
      const auto y = first + static_cast<std::uint32_t>(k);
      terms_of_y[y] = ResidueTerms(current, round.offsets, y);
    });
    parallel_for(n, [&](std::size_t x, int thread) {
      if (partners[x].empty()) return;
      relax_x(round, static_cast<std::uint32_t>(x), partners[x], terms_of_y,
              weighted[static_cast<std::size_t>(thread)], results);
    });
  }
  return results;
}

}  // namespace accord::host
