// SPDX-License-Identifier: Apache-2.0
// Superposition of structures, and the posteriors that distances enter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/host/host_backend.hpp"
#include "method/align_family.hpp"
#include "method/structures/rigid_motion.hpp"
#include "method/structures/structure_fit.hpp"
#include "method/structures/structure_posterior.hpp"
#include "method/structures/superposition.hpp"
#include "method/track_weight.hpp"

using namespace accord;

namespace {

/// A chain whose directions turn a little from residue to residue, 3.8 Å apart.
Trace random_trace(std::size_t residues, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Trace trace;
  Point at, step{3.8, 0, 0};
  for (std::size_t i = 0; i < residues; ++i) {
    trace.push_back(at);
    Point next{step.x + 2 * normal(random), step.y + 2 * normal(random),
               step.z + 2 * normal(random)};
    const double scale = 3.8 / distance(next, {});
    step = {next.x * scale, next.y * scale, next.z * scale};
    at = {at.x + step.x, at.y + step.y, at.z + step.z};
  }
  return trace;
}

RigidMotion random_motion(std::mt19937& random) {
  std::normal_distribution<double> normal;
  double q[4];
  for (double& part : q) part = normal(random);
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
  RigidMotion motion;
  motion.rotation = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
  motion.shift = {30 * normal(random), 30 * normal(random), 30 * normal(random)};
  return motion;
}

/// The trace as a file of three decimals has it after a motion.
Trace moved(const Trace& trace, const RigidMotion& motion) {
  Trace result;
  for (const auto& point : trace) {
    if (!point) {
      result.push_back(point);
      continue;
    }
    const Point p = motion(*point);
    result.push_back(Point{std::round(p.x * 1000) / 1000, std::round(p.y * 1000) / 1000,
                           std::round(p.z * 1000) / 1000});
  }
  return result;
}

double residual(const std::vector<PointPair>& pairs, const RigidMotion& motion) {
  double sum = 0;
  for (const PointPair& pair : pairs) {
    sum += pair.weight * square_distance(motion(pair.moved), pair.fixed);
  }
  return sum;
}

std::string random_letters(std::size_t count, std::mt19937& random) {
  const std::string all = "ARNDCQEGHILKMFPSTWYV";
  std::string letters;
  for (std::size_t i = 0; i < count; ++i) letters += all[random() % all.size()];
  return letters;
}

SequenceRecord record_of(const std::string& name, std::string letters, Trace trace) {
  SequenceRecord record{name, std::move(letters)};
  record.track = std::string(record.letters.size(), '?');
  record.trace = std::move(trace);
  return record;
}

AlignSettings structure_settings() {
  AlignSettings settings = make_settings({}, ResidueType::protein);
  settings.superposes = true;
  return settings;
}

/// The CAs before and behind a residue; no value at an end, and beside one that is not known.
std::optional<std::pair<Point, Point>> neighbours_of(const Trace& trace, std::size_t i) {
  if (i == 0 || i + 1 == trace.size() || !trace[i - 1] || !trace[i + 1]) return std::nullopt;
  return std::pair(*trace[i - 1], *trace[i + 1]);
}

Point middle(const Point& a, const Point& b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

/// The cosine of the angle between the ways from a to b and from c to d.
double cosine_of(const Point& a, const Point& b, const Point& c, const Point& d) {
  const double dot =
      (b.x - a.x) * (d.x - c.x) + (b.y - a.y) * (d.y - c.y) + (b.z - a.z) * (d.z - c.z);
  return dot / (distance(a, b) * distance(c, d));
}

/// The posteriors of a pair by the sum over all alignments, without scaling, with S of the suffixes
/// by their own recursion (not that of the reversed chains).
std::vector<std::vector<double>> naive_posterior(const PosteriorFamily& family,
                                                 const StructureFit& fit,
                                                 const SparseMatrix& letters,
                                                 const PlaceOdds& model) {
  const std::size_t m = family.set.length(0), n = family.set.length(1);
  using Grid = std::vector<std::vector<double>>;
  const Grid zeros(m + 2, std::vector<double>(n + 2, 0.0));
  Grid w = zeros, fm = zeros, fx = zeros, fy = zeros, bm = zeros, bx = zeros, by = zeros;
  const double o = std::exp(model.gap_open), e = std::exp(model.gap_extend);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const std::uint8_t a = family.sequences().codes(0)[i - 1];
      const std::uint8_t b = family.sequences().codes(1)[j - 1];
      const accord_recursion& hmm = family.model.tables.hmm;
      w[i][j] =
          static_cast<double>(hmm.weight[ACCORD_LETTER(a) * ACCORD_SYMBOLS + ACCORD_LETTER(b)]) *
          static_cast<double>(hmm.context[ACCORD_CONTEXT(a) * ACCORD_SYMBOLS + ACCORD_CONTEXT(b)]);
      const auto &p = family.set.trace(0)[i - 1], &q = family.set.trace(1)[j - 1];
      if (!p || !q) {
        const auto [a_place, b_place] =
            std::pair(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(j - 1));
        w[i][j] *= std::exp(model.log_odds * letters.units_at(a_place, b_place) / 65536.0);
        continue;
      }
      const double d = distance(fit.motion(*p), *q) / fit.scale;
      double log_odds = model.log_odds;
      const auto along_x = neighbours_of(family.set.trace(0), i - 1);
      const auto along_y = neighbours_of(family.set.trace(1), j - 1);
      if (along_x && along_y) {
        const auto [before_x, behind_x] = *along_x;
        const auto [before_y, behind_y] = *along_y;
        const auto moved = [&](const Point& point) { return fit.motion(point); };
        log_odds += model.along * (cosine_of(moved(before_x), moved(behind_x), before_y, behind_y) -
                                   model.usual_along);
        log_odds += model.across * (cosine_of(middle(moved(before_x), moved(behind_x)), moved(*p),
                                              middle(before_y, behind_y), *q) -
                                    model.usual_across);
      }
      w[i][j] *= std::exp(log_odds / (1 + d * d));
    }
  }
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const bool is_border = i == 1 || j == 1;
      fm[i][j] = w[i][j] * (is_border ? 1 : fm[i - 1][j - 1] + fx[i - 1][j - 1] + fy[i - 1][j - 1]);
      fx[i][j] = o * fm[i - 1][j] + e * fx[i - 1][j];
      fy[i][j] = o * fm[i][j - 1] + e * fy[i][j - 1];
    }
  }
  // b: the weight of everything behind a state in (i, j).
  double total = 0;
  for (std::size_t i = m; i >= 1; --i) {
    for (std::size_t j = n; j >= 1; --j) {
      const bool is_end = i == m || j == n;
      const double match = is_end ? 0 : w[i + 1][j + 1] * bm[i + 1][j + 1];
      const double down = i < m ? bx[i + 1][j] : 0, right = j < n ? by[i][j + 1] : 0;
      bx[i][j] = match + e * down;
      by[i][j] = match + e * right;
      bm[i][j] = is_end ? 1 : match + o * down + o * right;
      if (is_end) total += fm[i][j];
    }
  }
  Grid p = zeros;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) p[i - 1][j - 1] = fm[i][j] * bm[i][j] / total;
  }
  return p;
}

}  // namespace

TEST_CASE("structures: the best motion is found, does not mirror, and none is better") {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const Trace trace = random_trace(4 + random() % 40, random);
    const RigidMotion motion = random_motion(random);
    std::vector<PointPair> pairs;
    for (const auto& point : trace) {
      pairs.push_back({*point, motion(*point), 0.1 + (random() % 10) / 10.0});
    }
    CHECK(residual(pairs, best_motion(pairs)) < 1e-18 * 1e4 * static_cast<double>(pairs.size()));
    // With noise, a small turn to any side fits worse.
    std::normal_distribution<double> normal;
    for (PointPair& pair : pairs) pair.fixed.x += normal(random);
    const RigidMotion best = best_motion(pairs);
    const auto& r = best.rotation;
    const double determinant = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                               r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                               r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
    CHECK(determinant == doctest::Approx(1));
    const double least = residual(pairs, best);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const double angle : {-1e-3, 1e-3}) {
        RigidMotion turned = best;
        const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
        const double c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < 3; ++k) {
          turned.rotation[p][k] = c * r[p][k] - s * r[q][k];
          turned.rotation[q][k] = s * r[p][k] + c * r[q][k];
        }
        // About the centre of the fixed points, which is where the best motion takes the other.
        Point centre, now;
        double weight = 0;
        for (const PointPair& pair : pairs) {
          const Point a = best(pair.moved), b = turned(pair.moved);
          weight += pair.weight;
          centre = {centre.x + pair.weight * a.x, centre.y + pair.weight * a.y,
                    centre.z + pair.weight * a.z};
          now = {now.x + pair.weight * b.x, now.y + pair.weight * b.y, now.z + pair.weight * b.z};
        }
        turned.shift = {turned.shift.x + (centre.x - now.x) / weight,
                        turned.shift.y + (centre.y - now.y) / weight,
                        turned.shift.z + (centre.z - now.z) / weight};
        CHECK(residual(pairs, turned) > least);
      }
    }
  }
}

TEST_CASE("structures: mirrored, lying on a line, and without pairs") {
  CHECK(best_motion({}).shift.x == 0);
  std::vector<PointPair> mirrored, line;
  std::mt19937 random(2);
  for (const auto& p : random_trace(30, random)) {
    mirrored.push_back({*p, {-p->x, p->y, p->z}, 1});
    line.push_back({{p->x, 0, 0}, {0, p->x, 5}, 1});
  }
  CHECK(residual(mirrored, best_motion(mirrored)) > 1);
  CHECK(residual(line, best_motion(line)) < 1e-12);
}

TEST_CASE("structures: the scale of the TM-score") {
  for (const std::size_t length : {4, 21, 22, 60, 150, 700, 5000}) {
    const double expected =
        length <= 21 ? 2 : std::max(2.0, 1.24 * std::cbrt(static_cast<double>(length) - 15) - 1.8);
    CHECK(fit_scale(length) == doctest::Approx(expected));
  }
}

TEST_CASE("structures: a moved copy with an insertion fits, whatever the first alignment says") {
  std::mt19937 random(3);
  const Trace whole = random_trace(120, random);
  Trace part(whole.begin(), whole.begin() + 50);
  part.insert(part.end(), whole.begin() + 60, whole.end());
  part = moved(part, random_motion(random));
  const SparseMatrix empty(120, 110, {});
  const auto fit = fit_structures(whole, part, empty);
  REQUIRE(fit);
  CHECK(fit->tm_score > 0.95);
  Trace few(120);
  few[0] = few[1] = few[2] = Point{1, 2, 3};
  CHECK_FALSE(fit_structures(few, part, empty));
}

TEST_CASE("structures: the posterior is that of the sum over all alignments") {
  std::mt19937 random(4);
  for (int round = 0; round < 10; ++round) {
    const Trace whole = random_trace(40, random);
    Trace part(whole.begin() + 3, whole.begin() + 15);
    part.insert(part.end(), whole.begin() + 19, whole.end());
    part = moved(part, random_motion(random));
    if (round > 4) part[5].reset();
    const SequenceSet set({record_of("a", random_letters(40, random), whole),
                           record_of("b", random_letters(part.size(), random), part)},
                          ResidueType::protein);
    Parameters parameters = structure_settings().parameters;
    parameters.mixture.calibration = 1;
    const PosteriorFamily family(set, parameters);
    const auto fit =
        fit_structures(set.trace(0), set.trace(1), SparseMatrix(set.length(0), set.length(1), {}));
    REQUIRE(fit);
    std::vector<PosteriorCell> cells;
    for (std::uint32_t i = 0; i < set.length(0); ++i) cells.push_back({i, i * 3 / 4, 0.7f});
    const SparseMatrix letters =
        family.model.calibration.matrix(set.length(0), set.length(1), cells);
    const SparseMatrix found = structure_posterior(family, 0, 1, *fit, letters);
    const auto naive = naive_posterior(family, *fit, letters, {});
    for (std::uint32_t i = 0; i < set.length(0); ++i) {
      for (std::uint32_t j = 0; j < set.length(1); ++j) {
        const double p = found.units_at(i, j) / 65536.0;
        if (p > 0 || naive[i][j] > 0.0101) CHECK(p == doctest::Approx(naive[i][j]).epsilon(2e-3));
      }
    }
  }
}

TEST_CASE("structures: neither turning, order nor missing structures stop an alignment") {
  std::mt19937 random(5);
  HostBackend host;
  Scheduler scheduler(host);
  for (int round = 0; round < 5; ++round) {
    const Trace whole = random_trace(80, random);
    std::vector<SequenceRecord> records;
    for (int k = 0; k < 4; ++k) {
      Trace trace(whole.begin(), whole.begin() + 20 + 5 * k);
      trace.insert(trace.end(), whole.begin() + 25 + 5 * k, whole.end());
      std::string name(1, static_cast<char>('a' + k));
      records.push_back(record_of(name, random_letters(75, random), trace));
    }
    records.push_back({"e", random_letters(70, random)});
    const AlignSettings settings = structure_settings();
    const SequenceSet set(records, ResidueType::protein);
    const AlignResult first = align_family(set, settings, scheduler);
    // Random letters align at random; structures do not: equal residues share columns.
    for (std::size_t k = 1; k < 4; ++k) {
      const auto &a = first.msa.column_of[set.from_input(0)],
                 &b = first.msa.column_of[set.from_input(k)];
      for (std::size_t i = 0; i < 15; ++i) CHECK(a[i] == b[i]);
      for (std::size_t i = 60; i < 75; ++i) CHECK(a[i] == b[i]);
    }
    for (SequenceRecord& record : records)
      record.trace = moved(record.trace, random_motion(random));
    std::shuffle(records.begin(), records.end(), random);
    const AlignResult again =
        align_family(SequenceSet(records, ResidueType::protein), settings, scheduler);
    CHECK(again.msa.column_of == first.msa.column_of);
    CHECK(first.stages[1].name == "superposition");
    CHECK(first.stages[1].detail.starts_with("6 pairs"));
  }
}
