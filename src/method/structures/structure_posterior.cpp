// SPDX-License-Identifier: Apache-2.0
#include "method/structures/structure_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "base/portable_math.hpp"
#include "method/structures/backbone_directions.hpp"

namespace accord {
namespace {

/// A trace after a motion.
Trace moved(Trace trace, const RigidMotion& motion) {
  for (std::optional<Point>& ca : trace) {
    if (ca) ca = motion(*ca);
  }
  return trace;
}

/// The log odds of two residues at distance 0.
double odds_of_directions(const std::optional<BackboneDirections>& x,
                          const std::optional<BackboneDirections>& y, const PlaceOdds& model) {
  if (!x || !y) return model.log_odds;
  return model.log_odds + model.along * (cosine(x->along, y->along) - model.usual_along) +
         model.across * (cosine(x->across, y->across) - model.usual_across);
}

/// The match weights of a pair, row by row.
std::vector<float> match_weights(const PosteriorFamily& family, std::uint32_t x, std::uint32_t y,
                                 const StructureFit& fit, const SparseMatrix& by_letters,
                                 const PlaceOdds& model) {
  const bool has_tracks = family.has_track_of(x) && family.has_track_of(y);
  const PosteriorFamily& of_pair = has_tracks ? *family.of_tracks() : family;
  const accord_recursion& letters = of_pair.model.tables.hmm;
  const std::span<const std::uint8_t> as = of_pair.sequences().codes(x);
  const std::span<const std::uint8_t> bs = of_pair.sequences().codes(y);
  const Trace of_x = moved(family.set.trace(x), fit.motion), &of_y = family.set.trace(y);
  const auto directions_x = backbone_directions(of_x), directions_y = backbone_directions(of_y);
  std::vector<float> weights;
  weights.reserve(as.size() * bs.size());
  std::vector<double> row(bs.size());
  for (std::size_t i = 0; i < as.size(); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    by_letters.for_each_in_row(
        static_cast<std::uint32_t>(i), [&](std::uint32_t column, std::uint32_t units) {
          const auto p = static_cast<double>(ACCORD_FRACTION_OF_UNITS(units));
          row[column] = model.log_odds * p;
        });
    for (std::size_t j = 0; j < bs.size(); ++j) {
      if (!of_x[i] || !of_y[j]) continue;
      const double d2 = square_distance(*of_x[i], *of_y[j]);
      row[j] = odds_of_directions(directions_x[i], directions_y[j], model) /
               (1 + d2 / (fit.scale * fit.scale));
    }
    portable_exps(row);
    const float* const letter = letters.weight + ACCORD_LETTER(as[i]) * ACCORD_SYMBOLS;
    const float* const context = letters.context + ACCORD_CONTEXT(as[i]) * ACCORD_SYMBOLS;
    for (std::size_t j = 0; j < bs.size(); ++j) {
      weights.push_back(static_cast<float>(letter[ACCORD_LETTER(bs[j])] *
                                           context[ACCORD_CONTEXT(bs[j])] * row[j]));
    }
  }
  return weights;
}

/// The recursion of structure_posterior(), one row at a time: the values are those of the object
/// times 2^exponent().
class RowRecursion {
 public:
  RowRecursion(std::size_t columns, const PlaceOdds& model)
      : open_(portable_exp(model.gap_open)),
        extend_(portable_exp(model.gap_extend)),
        match_(columns, 0.0),
        gap_(columns, 0.0),
        sum_(columns, 1.0),
        border_(1) {}

  /// Goes on to the next row; weight(j): the match weight of its column j, from 0.
  template <class Weight>
  void next(const Weight& weight) {
    double diagonal = border_, left_match = 0, left_gap = 0, largest = 0;
    for (std::size_t j = 0; j < match_.size(); ++j) {
      gap_[j] = open_ * match_[j] + extend_ * gap_[j];
      left_gap = open_ * left_match + extend_ * left_gap;
      left_match = match_[j] = weight(j) * diagonal;
      diagonal = sum_[j];
      sum_[j] = match_[j] + (gap_[j] + left_gap);
      largest = std::max(largest, sum_[j]);
    }
    int exponent = 0;
    std::frexp(std::max(largest, border_), &exponent);
    if (exponent > -64 && exponent < 64) return;  // far from the bounds of doubles
    exponent_ += exponent;
    const double factor = std::ldexp(1.0, -exponent);
    for (std::vector<double>* const values : {&match_, &gap_, &sum_}) {
      for (double& value : *values) value *= factor;
    }
    border_ *= factor;
  }

  const std::vector<double>& match() const { return match_; }
  /// S before the first column, and of column j.
  double border() const { return border_; }
  const std::vector<double>& sum() const { return sum_; }
  int exponent() const { return exponent_; }

 private:
  double open_, extend_;
  std::vector<double> match_, gap_, sum_;
  double border_;
  int exponent_ = 0;
};

/// A sum of numbers, each with an exponent.
struct ScaledSum {
  double value = 0;
  int exponent = 0;

  void add(double more, int of_more) {
    if (of_more > exponent || value == 0) {
      value = std::ldexp(value, exponent - of_more);
      exponent = of_more;
    }
    value += std::ldexp(more, of_more - exponent);
  }
};

}  // namespace

SparseMatrix structure_posterior(const PosteriorFamily& family, std::uint32_t x, std::uint32_t y,
                                 const StructureFit& fit, const SparseMatrix& letters,
                                 const PlaceOdds& model) {
  const std::size_t m = family.set.length(x), n = family.set.length(y);
  const std::vector<float> weights = match_weights(family, x, y, fit, letters, model);
  std::vector<double> matches;
  std::vector<int> exponents;
  matches.reserve(m * n);
  RowRecursion forward(n, model);
  ScaledSum total;
  for (std::size_t i = 0; i < m; ++i) {
    forward.next([&](std::size_t j) { return static_cast<double>(weights[i * n + j]); });
    matches.insert(matches.end(), forward.match().begin(), forward.match().end());
    exponents.push_back(forward.exponent());
    const std::size_t first_end = i + 1 < m ? n - 1 : 0;
    for (std::size_t j = first_end; j < n; ++j) total.add(forward.match()[j], forward.exponent());
  }
  std::vector<PosteriorCell> cells;
  if (!(total.value > 0))
    return family.model.calibration.matrix(static_cast<std::uint32_t>(m),
                                           static_cast<std::uint32_t>(n), cells);
  // S of the reversed chains behind (i, j), that is, before the row of i + 1.
  RowRecursion backward(n, model);
  for (std::size_t i = m; i-- > 0;) {
    const int exponent = exponents[i] + backward.exponent() - total.exponent;
    const double factor = std::ldexp(1 / total.value, std::clamp(exponent, -1000, 900));
    for (std::size_t j = 0; j < n; ++j) {
      const double behind = j + 1 < n ? backward.sum()[n - 2 - j] : backward.border();
      const double p = std::min(1.0, matches[i * n + j] * factor * behind);
      if (p < static_cast<double>(family.model.tables.cutoff)) continue;
      cells.push_back(
          {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<float>(p)});
    }
    backward.next([&](std::size_t j) { return static_cast<double>(weights[i * n + n - 1 - j]); });
  }
  return family.model.calibration.matrix(static_cast<std::uint32_t>(m),
                                         static_cast<std::uint32_t>(n), cells);
}

}  // namespace accord
