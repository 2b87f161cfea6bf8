// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <span>

#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/scheduler.hpp"
#include "method/intermediates.hpp"
#include "stages/consistency/consistency_request.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"
#include "stages/posteriors/posterior_request.hpp"

namespace accord {
namespace {

/// Instructions of a posterior cell, each as expensive as a fused multiply-add: 25 of them are one,
/// the others additions, multiplications, comparisons.
constexpr double kInstructionsOfCell = 46;

/// Pairs whose consistency terms are counted; others are taken to be alike.
constexpr std::size_t kCountedPairs = 64;

/// The matrix of the ordered pair (x, y).
SparseMatrix matrix_of(const PosteriorSet& posteriors, std::size_t x, std::size_t y) {
  return x < y ? posteriors.at(x, y) : posteriors.at(y, x).transposed();
}

/// Pairs (i, k) of S_xz and (k, j) of S_zy over all intermediates z with (i, j) in S_xy.
std::uint64_t terms_of_pair(const PosteriorSet& posteriors,
                            std::span<const std::uint32_t> intermediates, std::size_t x,
                            std::size_t y) {
  const SparseMatrix& matrix = posteriors.at(x, y);
  std::vector<std::uint8_t> kept(matrix.cols());
  std::uint64_t terms = 0;
  for (std::uint32_t z : intermediates) {
    if (z == x || z == y) continue;
    const SparseMatrix to_z = matrix_of(posteriors, x, z), from_z = matrix_of(posteriors, z, y);
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t) { kept[j] = 1; });
      to_z.for_each_in_row(i, [&](std::uint32_t k, std::uint32_t) {
        from_z.for_each_in_row(k, [&](std::uint32_t j, std::uint32_t) { terms += kept[j]; });
      });
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t) { kept[j] = 0; });
    }
  }
  return terms;
}

/// Seconds that an amount takes at a rate; 0 if that was not measured.
double time_at(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

}  // namespace

SequenceSet random_family(const BenchSizes& sizes) {
  std::mt19937_64 random(static_cast<std::uint64_t>(sizes.seed));
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  const auto letter = [&] { return letters[random() % letters.size()]; };
  std::string root;
  for (int i = 0; i < sizes.length; ++i) root += letter();
  std::vector<SequenceRecord> records;
  for (int x = 0; x < sizes.sequences; ++x) {
    SequenceRecord record{std::to_string(x), ""};
    for (char c : root) {
      const std::uint64_t event = random() % 100;
      if (event == 0) continue;
      record.letters += random() % 100 < 45 ? c : letter();
      if (event == 1) record.letters += letter();
    }
    records.push_back(std::move(record));
  }
  return {std::move(records), ResidueType::protein};
}

PeakLimit Measurement::limit(const PeakRates& peaks) const {
  const double computing = time_at(multiply_adds, is_double ? peaks.of_doubles : peaks.arithmetic);
  if (time_at(bytes, peaks.copy_bytes) > computing) return PeakLimit::copy;
  return is_double ? PeakLimit::doubles : PeakLimit::arithmetic;
}

double Measurement::share(const PeakRates& peaks) const {
  const double least =
      std::max(time_at(bytes, peaks.copy_bytes),
               time_at(multiply_adds, is_double ? peaks.of_doubles : peaks.arithmetic));
  return seconds > 0 ? least / seconds : 0;
}

double Measurement::transfer_seconds(const PeakRates& peaks) const {
  return time_at(uploaded, peaks.upload_bytes) + time_at(downloaded, peaks.download_bytes);
}

BenchFamily::BenchFamily(const BenchSizes& sizes)
    : set_(random_family(sizes)),
      parameters_(default_parameters(ResidueType::protein)),
      model_(build_posterior_model(parameters_, ResidueType::protein)),
      posteriors_(set_.size()),
      weights_({}, 1.0f) {
  DistanceMatrix distances(set_.size());
  HostBackend host;
  Scheduler scheduler(host);
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    distances.set(x, y, pair.distance());
    posteriors_.at(x, y) = std::move(pair.matrix);
  };
  request_posteriors({set_, model_}, posteriors_.pairs(), scheduler, keep);
  const ConsistencyParams& consistency = parameters_.consistency;
  weights_ = ConsistencyWeights(
      std::vector<float>(set_.size(), 1.0f / static_cast<float>(set_.size())),
      consistency.self_weight_for(set_.size()),
      select_intermediates(distances, static_cast<std::size_t>(consistency.intermediates)));
  for (std::size_t y = 0; y < set_.size(); ++y) {
    dp_cells_ += residues_ * set_.length(y);
    residues_ += set_.length(y);
  }
}

Measurement BenchFamily::posteriors(Backend& backend, int repeats) const {
  Scheduler scheduler(backend);
  PosteriorSet found(set_.size());
  const auto keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    found.at(x, y) = std::move(pair.matrix);
  };
  const PosteriorFamily family(set_, model_);
  const double seconds =
      fastest(repeats, [&] { request_posteriors(family, found.pairs(), scheduler, keep); });
  return {.stage = "posteriors",
          .seconds = seconds,
          .work = dp_cells_,
          .unit = "cells",
          .multiply_adds = kInstructionsOfCell * dp_cells_,
          .uploaded = residues_,
          .downloaded = static_cast<double>(found.cells() * sizeof(std::uint32_t))};
}

double BenchFamily::consistency_terms(std::size_t most_pairs) const {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t y = 1; y < set_.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) pairs.emplace_back(x, y);
  }
  const std::size_t counted = std::min(most_pairs, pairs.size());
  std::vector<std::uint64_t> terms(counted);
  parallel_for(counted, [&](std::size_t k, int) {
    const auto [x, y] = pairs[k * pairs.size() / counted];
    terms[k] = terms_of_pair(posteriors_, weights_.intermediates(), x, y);
  });
  const double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  return counted > 0 ? sum * static_cast<double>(pairs.size()) / static_cast<double>(counted) : 0;
}

Measurement BenchFamily::consistency(Backend& backend, int repeats) const {
  Scheduler scheduler(backend);
  const double seconds = fastest(repeats, [&] {
    request_consistency(posteriors_, posteriors_.pairs(), weights_, parameters_.consistency.cutoff,
                        scheduler);
  });
  const double terms = consistency_terms(kCountedPairs);
  const auto cells = static_cast<double>(posteriors_.cells());
  return {.stage = "consistency",
          .seconds = seconds,
          .work = terms,
          .unit = "multiply-adds",
          .multiply_adds = terms,
          .uploaded = 4 * cells,     // column and value
          .downloaded = 2 * cells};  // value
}

DistanceMatrix random_distances(const BenchSizes& sizes) {
  std::mt19937_64 random(static_cast<std::uint64_t>(sizes.seed));
  std::vector<std::uint32_t> path(static_cast<std::size_t>(sizes.taxa));
  for (std::uint32_t& turns : path) turns = static_cast<std::uint32_t>(random() >> 40);
  DistanceMatrix distances(path.size());
  for (std::size_t y = 1; y < path.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      const int apart = std::bit_width(path[x] ^ path[y]);  // steps since they were one
      const auto noise = static_cast<float>(random() % 1000);
      distances.set(x, y, static_cast<float>(apart) / 30.0f + noise / 50000.0f);
    }
  }
  return distances;
}

Measurement measure_neighbor_joining(const DistanceMatrix& distances, Backend& backend,
                                     int repeats) {
  Scheduler scheduler(backend);
  const double seconds = fastest(repeats, [&] { request_neighbor_joining(distances, scheduler); });
  const auto n = static_cast<double>(distances.size());
  const double cells = (n + 1) * n * (n - 1) / 6;
  return {.stage = "neighbor_joining",
          .seconds = seconds,
          .work = cells,
          .unit = "cells",
          .bytes = 4 * cells,
          .uploaded = 2 * n * (n - 1),
          .downloaded = 16 * n};
}

}  // namespace accord
