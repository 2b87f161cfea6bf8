// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/ml_distances.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"

namespace accord {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kShortest = 1e-4, kLongest = 10;
constexpr int kTimes = 134;

double time_of(double place) {
  return kShortest * std::pow(kLongest / kShortest, place / (kTimes - 1));
}

/// The logarithm of the probability of each pair of codes after each of the times.
class PairTable {
 public:
  PairTable(const SitePatterns& patterns, const SubstitutionProcess& process)
      : codes_(patterns.symbols.size()), values_(kTimes * codes_ * codes_) {
    Matrix holds = Matrix::Zero(static_cast<Eigen::Index>(codes_), process.states);
    for (std::size_t code = 0; code < codes_; ++code) {
      for (std::uint32_t s = 0; s < process.states; ++s) {
        holds(code, s) = static_cast<double>(patterns.symbols[code] >> s & 1);
      }
    }
    parallel_for(kTimes, [&](std::size_t time, int) { fill(time, holds, process); });
  }

  const double* at(std::size_t time) const { return &values_[time * codes_ * codes_]; }
  std::size_t codes() const { return codes_; }

 private:
  void fill(std::size_t time, const Matrix& holds, const SubstitutionProcess& process) {
    const auto states = static_cast<Eigen::Index>(process.states);
    const Eigen::Map<const Matrix> right(process.right.data(), states, states);
    const Eigen::Map<const Matrix> left(process.left.data(), states, states);
    const Eigen::Map<const Eigen::VectorXd> frequencies(process.frequencies.data(), states);
    std::vector<double> factors(2 * process.rates.size() * process.states);
    branch_factors(process, time_of(static_cast<double>(time)), factors);
    Matrix joint = process.invariant * Matrix(frequencies.asDiagonal());
    for (std::size_t r = 0; r < process.rates.size(); ++r) {
      const Eigen::Map<const Eigen::VectorXd> factor(&factors[r * process.states], states);
      joint += process.weights[r] *
               (frequencies.asDiagonal() * (right * factor.asDiagonal() * left)).cwiseMax(0.0);
    }
    const Matrix of_codes = holds * joint * holds.transpose();
    for (std::size_t k = 0; k < codes_ * codes_; ++k) {
      values_[time * codes_ * codes_ + k] = std::log(of_codes.data()[k]);
    }
  }

  std::size_t codes_;
  std::vector<double> values_;
};

/// Of one pair of sequences: the patterns as places in a table.
class PairLikelihood {
 public:
  PairLikelihood(const SitePatterns& patterns, const PairTable& table, std::size_t x, std::size_t y)
      : weights_(patterns.weights), table_(table) {
    for (std::size_t c = 0; c < patterns.count(); ++c) {
      places_.push_back(
          static_cast<std::uint32_t>(patterns.code(x, c) * table.codes() + patterns.code(y, c)));
    }
  }

  double at(int time) const {
    const double* const values = table_.at(static_cast<std::size_t>(time));
    double sum = 0;
    for (std::size_t c = 0; c < places_.size(); ++c) sum += weights_[c] * values[places_[c]];
    return sum;
  }

  /// The time of the largest likelihood, which has one peak.
  double best_time() const {
    int low = 0, high = kTimes - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (at(middle) < at(middle + 1)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) return 0;
    if (low == kTimes - 1) return kLongest;
    const double before = at(low - 1), best = at(low), after = at(low + 1);
    const double curvature = before - 2 * best + after;
    return time_of(low + (curvature < 0 ? 0.5 * (before - after) / curvature : 0));
  }

 private:
  const std::vector<double>& weights_;
  const PairTable& table_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

DistanceMatrix ml_distances(const SitePatterns& patterns, const SubstitutionProcess& process) {
  const PairTable table(patterns, process);
  DistanceMatrix distances(patterns.tips);
  parallel_for(patterns.tips, [&](std::size_t index, int) {
    const std::size_t y = patterns.tips - 1 - index;  // long rows first
    for (std::size_t x = 0; x < y; ++x) {
      distances.set(x, y, static_cast<float>(PairLikelihood(patterns, table, x, y).best_time()));
    }
  });
  return distances;
}

}  // namespace accord
