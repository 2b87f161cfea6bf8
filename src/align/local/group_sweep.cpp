// SPDX-License-Identifier: Apache-2.0
#include "align/local/group_sweep.hpp"

#include <limits>

#include "base/target_clones.hpp"

namespace accord {
namespace {

constexpr double kUnreachable = -std::numeric_limits<double>::infinity();
constexpr std::size_t kLanes = 8;  // number of values that the running maximum processes at a time

/// Working memory of a row. The running maximum reads up to kLanes values before the first one.
struct RowRoom {
  alignas(64) double states_before[kStripColumns + kLanes];
  alignas(64) double opening[kStripColumns + kLanes];
  alignas(64) double key[kStripColumns + 2 * kLanes];
  alignas(64) double next[kStripColumns + 2 * kLanes];
};

ACCORD_CLONES
void add(double weight, const double* scores, std::size_t count, double* row) {
  for (std::size_t j = 0; j < count; ++j) row[j] += weight * scores[j];
}

ACCORD_CLONES
void sweep(const StripColumns& b, const GapSums& of_a, double unpaired, const double* match,
           const StripRow& above, const StripRow& row, std::uint8_t* trace) {
  RowRoom room;
  const GapSums a = of_a;
  const std::size_t count = b.count;
  const double* __restrict const residues = b.residues;
  const double* __restrict const pairs = b.residue_pairs;
  const double* __restrict const gaps = b.gaps;
  const double* __restrict const gap_pairs = b.gap_pairs;
  const double* __restrict const inner = b.inner;
  const double* __restrict const sums = b.unpaired;
  const double* __restrict const m = above.both;
  const double* __restrict const x = above.only_a;
  const double* __restrict const y = above.only_b;
  double* __restrict const to_both = row.both;
  double* __restrict const to_a = row.only_a;
  double* __restrict const to_b = row.only_b;
  double* __restrict const states_before = room.states_before;
  double* __restrict const opening = room.opening;
  double* __restrict const key = room.key + kLanes;
  double* __restrict const next = room.next + kLanes;

  // The states that end with column i of a depend on the row above only.
  for (std::size_t j = 0; j < count; ++j) {
    const double opened = a.residues * inner[j], kept = a.pairs * gaps[j];
    const double after_both = m[j] - (opened - kept), after_b = y[j] - opened;
    const double after_a = x[j] - (a.residues - a.pairs) * inner[j];
    const double best = after_both < after_b ? after_b : after_both;
    const double best_state = after_both < after_b ? kOnlyB : kBoth;
    to_a[j] = after_a < best ? best : after_a;
    states_before[j] = (1 << kBeforeA) * (after_a < best ? best_state : double{kOnlyA});
  }
  for (std::size_t j = 0; j < count; ++j) {
    const double* const m_left = m - 1;
    const double* const x_left = x - 1;
    const double* const y_left = y - 1;
    const double in_a = a.gaps * residues[j], in_b = a.residues * gaps[j];
    const double after_both =
        m_left[j] - (in_a - a.gap_pairs * pairs[j]) - (in_b - a.pairs * gap_pairs[j]);
    const double after_a = x_left[j] - in_a - (in_b - a.pairs * gaps[j]);
    const double after_b = y_left[j] - in_b - (in_a - a.gaps * pairs[j]);
    const double best = after_both < after_a ? after_a : after_both;
    const double best_state = after_both < after_a ? kOnlyA : kBoth;
    to_both[j] = (best < after_b ? after_b : best) + match[j];
    states_before[j] += best < after_b ? double{kOnlyB} : best_state;
  }

  // The state that ends with a column of b alone. With U the sum of the unpaired residues up to a
  // column, its value is the running maximum of (value that opens a gap + a.inner U), less a.inner
  // U.
  for (std::size_t j = 0; j < count; ++j) {
    const double opened = a.inner * residues[j];
    const double after_both = (to_both - 1)[j] - (opened - a.gaps * pairs[j]);
    const double after_a = (to_a - 1)[j] - opened;
    opening[j] = after_both < after_a ? after_a : after_both;
    states_before[j] += (1 << kBeforeB) * (after_both < after_a ? double{kOnlyA} : double{kBoth});
    key[j] = opening[j] + a.inner * sums[j];
  }
  for (std::size_t k = 0; k < kLanes; ++k) {
    key[count + k] = room.key[k] = room.next[k] = kUnreachable;
  }
  const std::size_t padded = (count + kLanes - 1) / kLanes * kLanes;
  for (std::size_t j = 0; j < padded; ++j) next[j] = key[j] < (key - 1)[j] ? (key - 1)[j] : key[j];
  for (std::size_t j = 0; j < padded; ++j) {
    key[j] = next[j] < (next - 2)[j] ? (next - 2)[j] : next[j];
  }
  for (std::size_t j = 0; j < padded; ++j) next[j] = key[j] < (key - 4)[j] ? (key - 4)[j] : key[j];
  double most[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) most[k] = (to_b - 1)[0] + a.inner * unpaired;
  for (std::size_t j = 0; j < padded; j += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      most[k] = most[k] < next[j + k] ? next[j + k] : most[k];
      key[j + k] = most[k];
    }
  }
  for (std::size_t j = 0; j < count; ++j) to_b[j] = key[j] - a.inner * sums[j];
  for (std::size_t j = 0; j < count; ++j) {
    const double extending = (to_b - 1)[j] - a.inner * (residues[j] - pairs[j]);
    const double states = states_before[j];
    // These assume that a gap opens. If a gap is extended instead, the state before kOnlyB changes.
    const double without_b = states < (kOnlyA << kBeforeB) ? states : states - (kOnlyA << kBeforeB);
    states_before[j] = extending < opening[j] ? states : without_b + (kOnlyB << kBeforeB);
  }
  for (std::size_t j = 0; j < count; ++j) {
    trace[j] = static_cast<std::uint8_t>(static_cast<std::int32_t>(states_before[j]));
  }
}

}  // namespace

void add_scores(double weight, const double* scores, std::size_t count, double* row) {
  add(weight, scores, count, row);
}

void sweep_strip_row(const StripColumns& b, const GapSums& a, double unpaired, const double* match,
                     const StripRow& above, const StripRow& row, std::uint8_t* trace) {
  sweep(b, a, unpaired, match, above, row, trace);
}

}  // namespace accord
