// SPDX-License-Identifier: Apache-2.0
#include "method/structures/rigid_motion.hpp"

#include <cmath>
#include <cstddef>

namespace accord {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

constexpr int kSweeps = 8;  // the off-diagonal falls quadratically; six suffice for doubles

/// Turns the rows and columns p and q of a symmetric matrix so that their common entry is 0, and
/// the columns of `vectors` with them.
void turn(Matrix4& a, Matrix4& vectors, std::size_t p, std::size_t q) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double root = std::sqrt(theta * theta + 1);
  const double t = theta >= 0 ? 1 / (theta + root) : 1 / (theta - root);
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < 4; ++k) {
    const double kp = a[k][p], kq = a[k][q];
    a[k][p] = c * kp - s * kq;
    a[k][q] = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double pk = a[p][k], qk = a[q][k];
    a[p][k] = c * pk - s * qk;
    a[q][k] = s * pk + c * qk;
    const double vp = vectors[k][p], vq = vectors[k][q];
    vectors[k][p] = c * vp - s * vq;
    vectors[k][q] = s * vp + c * vq;
  }
  a[p][q] = a[q][p] = 0;
}

/// The eigenvector of the largest eigenvalue.
std::array<double, 4> largest_eigenvector(Matrix4 a) {
  Matrix4 vectors{};
  for (std::size_t k = 0; k < 4; ++k) vectors[k][k] = 1;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = p + 1; q < 4; ++q) turn(a, vectors, p, q);
    }
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < 4; ++k) best = a[k][k] > a[best][best] ? k : best;
  return {vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]};
}

/// The centre of the moved and of the fixed points.
struct Centres {
  Point moved, fixed;
  double weight = 0;
};

Centres centres_of(std::span<const PointPair> pairs) {
  Centres c;
  for (const PointPair& pair : pairs) {
    const double w = pair.weight;
    c.weight += w;
    c.moved.x += w * pair.moved.x;
    c.moved.y += w * pair.moved.y;
    c.moved.z += w * pair.moved.z;
    c.fixed.x += w * pair.fixed.x;
    c.fixed.y += w * pair.fixed.y;
    c.fixed.z += w * pair.fixed.z;
  }
  if (!(c.weight > 0)) return c;
  c.moved = {c.moved.x / c.weight, c.moved.y / c.weight, c.moved.z / c.weight};
  c.fixed = {c.fixed.x / c.weight, c.fixed.y / c.weight, c.fixed.z / c.weight};
  return c;
}

/// Horn's matrix, whose largest eigenvector is the quaternion of the rotation.
Matrix4 horn_matrix(std::span<const PointPair> pairs, const Centres& c) {
  double s[3][3] = {};
  for (const PointPair& pair : pairs) {
    const double m[3] = {pair.moved.x - c.moved.x, pair.moved.y - c.moved.y,
                         pair.moved.z - c.moved.z};
    const double f[3] = {pair.fixed.x - c.fixed.x, pair.fixed.y - c.fixed.y,
                         pair.fixed.z - c.fixed.z};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) s[a][b] += pair.weight * m[a] * f[b];
    }
  }
  Matrix4 n{};
  n[0] = {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]};
  n[1] = {n[0][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]};
  n[2] = {n[0][2], n[1][2], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]};
  n[3] = {n[0][3], n[1][3], n[2][3], s[2][2] - s[0][0] - s[1][1]};
  return n;
}

}  // namespace

Point RigidMotion::operator()(const Point& p) const {
  const auto& r = rotation;
  return {r[0][0] * p.x + r[0][1] * p.y + r[0][2] * p.z + shift.x,
          r[1][0] * p.x + r[1][1] * p.y + r[1][2] * p.z + shift.y,
          r[2][0] * p.x + r[2][1] * p.y + r[2][2] * p.z + shift.z};
}

RigidMotion best_motion(std::span<const PointPair> pairs) {
  RigidMotion motion;
  const Centres c = centres_of(pairs);
  if (!(c.weight > 0)) return motion;
  const auto [w, x, y, z] = largest_eigenvector(horn_matrix(pairs, c));
  motion.rotation = {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
  const Point turned = motion(c.moved);
  motion.shift = {c.fixed.x - turned.x, c.fixed.y - turned.y, c.fixed.z - turned.z};
  return motion;
}

}  // namespace accord
