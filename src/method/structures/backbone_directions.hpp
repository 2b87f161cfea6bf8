// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/point.hpp"

namespace accord {

/// The directions of a backbone at a residue, as unit vectors: `along` the chain, from the CA
/// before it to the CA behind it, and `across`, from the middle of these two to its own CA, which
/// is where the side chain points.
struct BackboneDirections {
  Point along, across;
};

/// The directions at each residue. There is no value at the ends, where the CA of the residue or of
/// a neighbour is not known, where both neighbours have one place, and where the CA is exactly in
/// the middle of its neighbours.
std::vector<std::optional<BackboneDirections>> backbone_directions(const Trace& trace);

/// The cosine of the angle between two unit vectors.
inline double cosine(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

}  // namespace accord
