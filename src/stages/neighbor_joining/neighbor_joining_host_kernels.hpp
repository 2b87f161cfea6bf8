// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord::host {

/// Row i of the triangle of distances D: places j < i (see neighbor_joining/join.h). R_j is the sum
/// of the distances from j to all clusters, and u_j is a number near R_j / factor. A step joins the
/// pair with the least S_ij = factor D_ij - R_i - R_j.
struct TriangleRow {
  const std::int32_t* distance;   ///< to the places before the row
  const std::int64_t* sum;        ///< R_j of these places
  const std::int32_t* reference;  ///< u_j of these places
  std::uint32_t count;            ///< number of these places
  std::int32_t factor;            ///< number of clusters that are left, minus 2
  std::int64_t least;             ///< out: the least S_ij + R_i
  std::int32_t low;               ///< out: the least D_ij - u_j
};

/// The arithmetic of neighbour joining, compiled for one instruction set. The kernels of all
/// instruction sets give the same bits.
struct NeighborJoiningKernels {
  /// Sets `least` and `low` of a row from its other fields.
  void (*scan_row)(TriangleRow& row);
};

}  // namespace accord::host
