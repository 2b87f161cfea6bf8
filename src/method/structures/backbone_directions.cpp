// SPDX-License-Identifier: Apache-2.0
#include "method/structures/backbone_directions.hpp"

#include <cmath>
#include <cstddef>

namespace accord {
namespace {

/// The unit vector in the direction of a vector; no value for the null vector.
std::optional<Point> unit(const Point& vector) {
  const double length = std::sqrt(cosine(vector, vector));
  if (!(length > 0)) return std::nullopt;
  return Point{vector.x / length, vector.y / length, vector.z / length};
}

}  // namespace

std::vector<std::optional<BackboneDirections>> backbone_directions(const Trace& trace) {
  std::vector<std::optional<BackboneDirections>> directions(trace.size());
  for (std::size_t i = 1; i + 1 < trace.size(); ++i) {
    const std::optional<Point>&before = trace[i - 1], &here = trace[i], &behind = trace[i + 1];
    if (!before || !here || !behind) continue;
    const std::optional<Point> along =
        unit({behind->x - before->x, behind->y - before->y, behind->z - before->z});
    const std::optional<Point> across =
        unit({2 * here->x - before->x - behind->x, 2 * here->y - before->y - behind->y,
              2 * here->z - before->z - behind->z});
    if (along && across) directions[i] = BackboneDirections{*along, *across};
  }
  return directions;
}

}  // namespace accord
