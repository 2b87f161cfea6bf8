// SPDX-License-Identifier: Apache-2.0
// The scale of a substitution matrix.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/portable_math.hpp"
#include "models/substitution_matrix.hpp"

namespace accord {
namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr int kHalvings = 60;  // of an interval; a double has no more digits

Matrix exponentials(const Matrix& scores, double lambda) {
  Matrix values = scores;
  for (std::vector<double>& row : values) {
    for (double& value : row) value = bounded_exp(lambda * value);
  }
  return values;
}

/// Solves `matrix` x = 1 by elimination with row pivots; empty if the rows depend on each other.
std::vector<double> solve_for_ones(Matrix matrix) {
  const std::size_t n = matrix.size();
  std::vector<double> x(n, 1.0);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(matrix[i][k]) > std::fabs(matrix[pivot][k])) pivot = i;
    }
    if (matrix[pivot][k] == 0) return {};
    std::swap(matrix[k], matrix[pivot]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) matrix[i][j] -= factor * matrix[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= matrix[k][j] * x[j];
    x[k] /= matrix[k][k];
  }
  return x;
}

/// The root of a function in an interval at whose ends it has different signs.
template <class Function>
double root_between(double low, double high, const Function& function) {
  const bool rises = function(high) > 0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    ((function(middle) > 0) == rises ? high : low) = middle;
  }
  return low;
}

}  // namespace

double bounded_exp(double x) { return portable_exp(std::clamp(x, -690.0, 690.0)); }

double karlin_lambda(const Matrix& scores, const std::vector<double>& background) {
  double mean = 0, most = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = 0; b < scores.size(); ++b) {
      mean += background[a] * background[b] * scores[a][b];
      most = std::max(most, scores[a][b]);
    }
  }
  if (!(most > 0) || !(mean < 0)) return 0;
  const auto excess = [&](double lambda) {
    double sum = -1;
    for (std::size_t a = 0; a < scores.size(); ++a) {
      for (std::size_t b = 0; b < scores.size(); ++b) {
        sum += background[a] * background[b] * bounded_exp(lambda * scores[a][b]);
      }
    }
    return sum;
  };
  // The sum falls from lambda = 0 on, and then rises without bound.
  double high = 1 / most;
  while (excess(high) <= 0 && high * most < 500) high *= 2;
  double low = high;
  while (excess(low) > 0 && low * most > 1e-9) low /= 2;
  return root_between(low, high, excess);
}

MatrixScale implied_scale(const Matrix& scores, double near) {
  constexpr int kSteps = 300;
  const auto background_at = [&](double lambda) {
    return solve_for_ones(exponentials(scores, lambda));
  };
  const auto excess = [&](double lambda) {
    double sum = -1;
    for (const double p : background_at(lambda)) sum += p;
    return sum;
  };
  const auto place = [&](int step) { return near * (0.5 + 1.5 * step / kSteps); };
  MatrixScale found;
  double before = excess(place(0));
  for (int step = 1; step <= kSteps; ++step) {
    const double here = excess(place(step));
    if ((before > 0) != (here > 0)) {
      const double lambda = root_between(place(step - 1), place(step), excess);
      std::vector<double> background = background_at(lambda);
      const bool is_good =
          !background.empty() && std::all_of(background.begin(), background.end(),
                                             [](double p) { return p > 0 && p < 1; });
      const bool is_nearer =
          found.background.empty() || std::fabs(lambda - near) < std::fabs(found.lambda - near);
      if (is_good && is_nearer) found = {lambda, std::move(background)};
    }
    before = here;
  }
  return found;
}

const std::vector<double>& robinson_background() {
  // A R N D C Q E G H I L K M F P S T W Y V
  static const std::vector<double> background = [] {
    std::vector<double> p = {78.05, 51.29, 44.87, 53.64, 19.25, 42.64, 62.95, 73.77, 21.99, 51.42,
                             90.19, 57.44, 22.43, 38.56, 52.03, 71.20, 58.41, 13.30, 32.16, 64.41};
    double sum = 0;
    for (const double value : p) sum += value;
    for (double& value : p) value /= sum;
    return p;
  }();
  return background;
}

}  // namespace accord
