// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>

#include "core/point.hpp"

namespace accord {

/// A rotation and a shift.
struct RigidMotion {
  std::array<std::array<double, 3>, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Point shift;

  /// Where the motion takes a point.
  Point operator()(const Point& p) const;
};

/// Two points that should lie upon each other, and how much they count.
struct PointPair {
  Point moved, fixed;
  double weight = 1;
};

/// The motion with the least sum of weight * (distance of the moved to the fixed point)^2. It never
/// mirrors. The same bits on all platforms: a fixed number of Jacobi sweeps over Horn's matrix.
/// Without a pair of positive weight, the motion moves nothing.
/// Reference  Horn 1987, J Opt Soc Am A 4:629
RigidMotion best_motion(std::span<const PointPair> pairs);

}  // namespace accord
