// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/ml_distances.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "phylogeny/ml_tree.hpp"
#include "tools/row_bits.hpp"

namespace accord {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kLongest = 10;

/// Times at equal distances of their logarithms, up to kLongest.
struct Times {
  double shortest;
  int count;

  double at(double place) const {
    return shortest * std::pow(kLongest / shortest, place / (count - 1));
  }
};

constexpr Times kCoarse = {1e-4, 134}, kFine = {1e-6, 187};

/// The logarithm of the probability of each pair of codes after each of the times.
class PairTable {
 public:
  PairTable(const SitePatterns& patterns, const SubstitutionProcess& process, const Times& times)
      : times_(times),
        codes_(patterns.symbols.size()),
        values_(static_cast<std::size_t>(times.count) * codes_ * codes_) {
    Matrix holds = Matrix::Zero(static_cast<Eigen::Index>(codes_), process.states);
    for (std::size_t code = 0; code < codes_; ++code) {
      for (std::uint32_t s = 0; s < process.states; ++s) {
        holds(code, s) = static_cast<double>(patterns.symbols[code] >> s & 1);
      }
    }
    parallel_for(static_cast<std::size_t>(times.count),
                 [&](std::size_t time, int) { fill(time, holds, process); });
  }

  const double* at(std::size_t time) const { return &values_[time * codes_ * codes_]; }
  std::size_t codes() const { return codes_; }
  const Times& times() const { return times_; }

 private:
  void fill(std::size_t time, const Matrix& holds, const SubstitutionProcess& process) {
    const auto states = static_cast<Eigen::Index>(process.states);
    const Eigen::Map<const Matrix> right(process.right.data(), states, states);
    const Eigen::Map<const Matrix> left(process.left.data(), states, states);
    const Eigen::Map<const Eigen::VectorXd> frequencies(process.frequencies.data(), states);
    std::vector<double> factors(2 * process.rates.size() * process.states);
    branch_factors(process, times_.at(static_cast<double>(time)), factors);
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

  Times times_;
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
    const Times& times = table_.times();
    int low = 0, high = times.count - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (at(middle) < at(middle + 1)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) return 0;
    if (low == times.count - 1) return kLongest;
    return times.at(low + peak(low));
  }

 private:
  /// The place of the peak beside a time, of the parabola through three times or, of fine
  /// distances, the polynomial through five.
  double peak(int time) const {
    const double before = at(time - 1), best = at(time), after = at(time + 1);
    const double curvature = before - 2 * best + after;
    const double of_parabola = curvature < 0 ? 0.5 * (before - after) / curvature : 0;
    const int count = table_.times().count;
    if (count == kCoarse.count || time < 2 || time + 2 >= count) return of_parabola;
    const double first = at(time - 2), last = at(time + 2);
    // The derivatives of that polynomial (central differences).
    const double slope = (first - 8 * before + 8 * after - last) / 12;
    const double second = (-first + 16 * before - 30 * best + 16 * after - last) / 12;
    const double third = (-first + 2 * before - 2 * after + last) / 2;
    const double fourth = first - 4 * before + 6 * best - 4 * after + last;
    double place = of_parabola;
    for (int step = 0; step < 5; ++step) {  // of Newton; two are enough as a rule
      const double down = slope + place * (second + place * (third / 2 + place * fourth / 6));
      const double bend = second + place * (third + place * fourth / 2);
      if (!(bend < 0)) return of_parabola;
      place = std::clamp(place - down / bend, -1.0, 1.0);
    }
    return place;
  }

  const std::vector<double>& weights_;
  const PairTable& table_;
  std::vector<std::uint32_t> places_;
};

void check_likely(const std::string& name) {
  const ModelSpec model = [&] {
    try {
      return parse_model(name);
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(),
                  "p, snps, jc, k80, tn93 or kimura; or " + error.hint());
    }
  }();
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.is_given) continue;
    throw Error(ErrorKind::usage, "model " + name + ": " + parameter.name + " has no value",
                "give all parameters in braces, as in HKY{2.5}+G4{0.5}");
  }
}

/// The distances of the largest likelihood by a model whose parameters are all given.
DistanceMatrix likely_distances(const std::string& model, const std::vector<std::string>& rows,
                                const SequenceSet& set, const std::string& label) {
  std::vector<SequenceRecord> records;
  std::vector<std::size_t> row_of(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    records.push_back({set.header(set.from_input(k)), rows[k]});
    row_of[set.from_input(k)] = k;
  }
  const LikelihoodInput input = likelihood_input(records, row_of, set.type(), model, label);
  DistanceMatrix distances =
      ml_distances(input.found.patterns, make_process(input.model, input.values, input.frequencies),
                   DistanceAccuracy::fine);
  const RowBits bits(rows, set.type());
  for (std::size_t l = 1; l < rows.size(); ++l) {
    for (std::size_t k = 0; k < l; ++k) {
      if (bits.compare(k, l).both > 0) continue;
      distances.set(set.from_input(k), set.from_input(l), std::nanf(""));
    }
  }
  return distances;
}

}  // namespace

DistanceMatrix ml_distances(const SitePatterns& patterns, const SubstitutionProcess& process,
                            DistanceAccuracy accuracy) {
  const PairTable table(patterns, process, accuracy == DistanceAccuracy::fine ? kFine : kCoarse);
  DistanceMatrix distances(patterns.tips);
  parallel_for(patterns.tips, [&](std::size_t index, int) {
    const std::size_t y = patterns.tips - 1 - index;  // long rows first
    for (std::size_t x = 0; x < y; ++x) {
      distances.set(x, y, static_cast<float>(PairLikelihood(patterns, table, x, y).best_time()));
    }
  });
  return distances;
}

const OtherDistanceModels& likely_distance_models() {
  static const OtherDistanceModels models = {
      "Other names are those of 'accord likelihood', such as LG or HKY{2.5}+G4{0.5}, with all "
      "parameters given; their distance is that of the largest likelihood, at most 10.",
      "LG", check_likely, likely_distances};
  return models;
}

}  // namespace accord
