// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/point.hpp"
#include "core/sparse_matrix.hpp"
#include "method/structures/rigid_motion.hpp"

namespace accord {

/// Residues of two chains that are aligned, both increasing; 0-based.
using ResiduePath = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// How two chains lie upon each other.
struct StructureFit {
  RigidMotion motion;   ///< of the first chain
  double scale = 0;     ///< d0, in Å: see fit_scale()
  double tm_score = 0;  ///< of the shorter chain, in [0, 1]: the mean of 1 / (1 + (d / d0)^2)
};

/// The distance d0 of the TM-score, for the length of the shorter chain; at least 2 Å.
/// Reference  Zhang & Skolnick 2004, Proteins 57:702
double fit_scale(std::size_t length);

/// Superposes two chains. The search starts from the path of the largest sum of `posterior`, from
/// parts of this path, and from those shifts of one chain along the other that fit best. From each
/// start it superposes, with weights of the square of s = 1 / (1 + (d / d0)^2), and aligns again by
/// s, with a cost of .6 for a gap, until the sum of s stands. The start with the largest sum of s
/// wins; among equal ones, the first.
/// Shape   posterior.rows() == x.size(), posterior.cols() == y.size()
/// Returns  no value if fewer than four residues of a chain have a known CA.
/// Reference  Zhang & Skolnick 2005, Nucleic Acids Res 33:2302
std::optional<StructureFit> fit_structures(const Trace& x, const Trace& y,
                                           const SparseMatrix& posterior);

}  // namespace accord
