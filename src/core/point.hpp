// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

namespace accord {

/// Coordinates in Å.
struct Point {
  double x = 0, y = 0, z = 0;
};

/// The square of the distance of two points, in Å^2.
inline double square_distance(const Point& a, const Point& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

/// The distance of two points, in Å.
inline double distance(const Point& a, const Point& b) { return std::sqrt(square_distance(a, b)); }

/// The CA of each residue of a chain; no value where it is not known.
using Trace = std::vector<std::optional<Point>>;

/// Whether one trace precedes another in lexicographic order: the shorter, then by coordinates; a
/// CA that is not known precedes others.
inline bool precedes(const Trace& a, const Trace& b) {
  const auto less = [](const std::optional<Point>& p, const std::optional<Point>& q) {
    if (!p || !q) return !p && q;
    return std::tie(p->x, p->y, p->z) < std::tie(q->x, q->y, q->z);
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
}

}  // namespace accord
