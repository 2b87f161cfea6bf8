// SPDX-License-Identifier: Apache-2.0
#include "method/pieced_pair.hpp"

#include <algorithm>
#include <utility>

#include "method/sure_runs.hpp"

namespace accord {
namespace {

// The posteriors of sure parts, in units, close to those of the model on an unambiguous diagonal:
// .998 for equal bases, .99 for others. With 1 instead, distances and sequence weights would depend
// on gaps alone, and one sequence with a gap would outweigh many without.
constexpr std::uint32_t kEqualUnits = 65405, kOtherUnits = 64881;
constexpr std::uint32_t kEqual = 8;  // number of equal bases required on either side of a cut

/// Appends the cuts between two cuts: each is in the middle of a long stretch, and at least a
/// piece apart from its neighbours.
void append_between(const PairCut& start, const PairCut& end, std::span<const Anchor> chain,
                    const PieceRule& rule, std::vector<PairCut>& cuts) {
  PairCut last = start;
  auto at = std::ranges::lower_bound(chain, start.x, {}, &Anchor::x);
  while (at != chain.end()) {
    const PairCut from = {last.x + rule.piece, last.y + rule.piece};
    auto best = chain.end();
    for (; at != chain.end() && (best == chain.end() || at->x < from.x + rule.piece); ++at) {
      const std::uint32_t half = at->length / 2;
      if (at->x + half < from.x || at->y + half < from.y) continue;
      if (best == chain.end() || at->length > best->length) best = at;
    }
    if (best == chain.end()) break;
    const PairCut cut = {best->x + best->length / 2, best->y + best->length / 2, rule.flank};
    if (cut.x + rule.piece > end.x || cut.y + rule.piece > end.y) break;
    cuts.push_back(cut);
    last = cut;
    at = best + 1;
  }
}

/// Finds the cuts of a pair.
class Cutter {
 public:
  Cutter(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
         std::span<const Anchor> chain, const PieceRule& rule)
      : x_(x), y_(y), chain_(chain), rule_(rule) {}

  /// Appends the parts of a surely aligned run: a piece up to it, and its sure part.
  void add_run(const Anchor& run) {
    if (run.length <= 2 * rule_.margin) return;
    const std::uint32_t end = run.length - rule_.margin;
    const std::uint32_t first = next_equal(run, rule_.margin, end);
    if (first >= end) return;
    const std::uint32_t last = last_equal(run, first, end);
    if (last < first + rule_.margin) return;
    add_piece(cut_of(run, first));
    for (std::uint32_t at = first; at < last;) {
      at = last - at < 2 * rule_.sure ? last : at + rule_.sure;
      cuts.push_back(cut_of(run, at));
      is_sure.push_back(true);
    }
  }

  /// Appends pieces up to the cut `end`.
  void add_piece(const PairCut& end) {
    append_between(cuts.back(), end, chain_, rule_, cuts);
    cuts.push_back(end);
    is_sure.resize(cuts.size() - 1, false);
  }

  std::vector<PairCut> cuts = {{}};
  std::vector<bool> is_sure;  // [part between two cuts]

 private:
  PairCut cut_of(const Anchor& run, std::uint32_t at) const {
    return {run.x + at, run.y + at, rule_.margin};
  }

  bool is_equal(const Anchor& run, std::uint32_t at) const {
    return x_[run.x + at] == y_[run.y + at] && x_[run.x + at] < 4;
  }

  /// The first place in [at, end) of the run with equal bases around it; `end` if there is none.
  std::uint32_t next_equal(const Anchor& run, std::uint32_t at, std::uint32_t end) const {
    std::uint32_t equal = 0;
    for (std::uint32_t i = at - kEqual; i < end; ++i) {
      equal = is_equal(run, i) ? equal + 1 : 0;
      if (equal >= 2 * kEqual) return i - kEqual + 1;
    }
    return end;
  }

  /// The last such place before `end`, at least `first`.
  std::uint32_t last_equal(const Anchor& run, std::uint32_t first, std::uint32_t end) const {
    std::uint32_t equal = 0;
    for (std::uint32_t i = end + kEqual; i-- > first;) {
      equal = is_equal(run, i) ? equal + 1 : 0;
      if (equal >= 2 * kEqual) return std::max(first, i + kEqual);
    }
    return first;
  }

  std::span<const std::uint8_t> x_, y_;
  std::span<const Anchor> chain_;
  const PieceRule& rule_;
};

}  // namespace

PiecedPair::PiecedPair(const SequenceSet& set, PairIndex pair, std::span<const Anchor> chain,
                       const PieceRule& rule)
    : pair_(pair),
      x_(set.coded().codes(pair.x)),
      y_(set.coded().codes(pair.y)),
      m_(set.length(pair.x)),
      n_(set.length(pair.y)) {
  Cutter cutter(x_, y_, chain, rule);
  for (const Anchor& run : sure_runs(x_, y_, chain)) cutter.add_run(run);
  cutter.add_piece({m_, n_});
  cuts_ = std::move(cutter.cuts);
  for (const bool is_sure : cutter.is_sure) parts_.push_back({is_sure});
}

Extent PiecedPair::extent(std::size_t k) const {
  const PairCut a = cuts_[k], b = cuts_[k + 1];
  return {{a.x - std::min(a.flank, a.x), a.y - std::min(a.flank, a.y)},
          {std::min(b.x + b.flank, m_), std::min(b.y + b.flank, n_)}};
}

void PiecedPair::check_cuts(std::size_t reach) {
  const std::size_t inner = parts_.size() - 1;
  std::vector<bool> is_kept(inner, true);  // [k]: cuts_[k + 1]
  for (std::size_t k = 0; k < inner; ++k) {
    if (holds(k + 1)) continue;
    const std::size_t first = k - std::min(k, reach), last = std::min(k + reach + 1, inner);
    for (std::size_t other = first; other < last; ++other) is_kept[other] = false;
  }
  std::vector<PairCut> cuts = {cuts_.front()};
  std::vector<Part> parts;
  for (std::size_t first = 0, k = 0; k <= inner; ++k) {
    if (k < inner && !is_kept[k]) continue;
    cuts.push_back(cuts_[k + 1]);
    parts.push_back(first == k ? std::move(parts_[k]) : Part{});
    first = k + 1;
  }
  cuts_ = std::move(cuts);
  parts_ = std::move(parts);
}

bool PiecedPair::holds(std::size_t cut) const {
  const PairCut at = cuts_[cut];
  for (const std::size_t k : {cut - 1, cut}) {
    if (parts_[k].is_sure) continue;
    const PairCut origin = extent(k).first;
    const std::uint32_t units = parts_[k].matrix->units_at(at.x - origin.x, at.y - origin.y);
    if (units < kSureCut * ACCORD_UNITS_OF_ONE) return false;
  }
  return true;
}

std::size_t PiecedPair::pieces() const {
  return static_cast<std::size_t>(std::ranges::count(parts_, false, &Part::is_sure));
}

double PiecedPair::cells() const {
  double cells = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].is_sure) continue;
    const auto [first, last] = extent(k);
    cells += static_cast<double>(last.x - first.x) * (last.y - first.y);
  }
  return cells;
}

SparseMatrix PiecedPair::between_cuts(std::size_t k) const {
  const PairCut origin = extent(k).first, first = cuts_[k], last = cuts_[k + 1];
  SparseMatrixBuilder builder(last.y - first.y, last.x - first.x,
                              parts_[k].matrix->packed().size());
  for (std::uint32_t i = first.x; i < last.x; ++i) {
    parts_[k].matrix->for_each_in_row(i - origin.x, [&](std::uint32_t j, std::uint32_t units) {
      const std::uint32_t column = j + origin.y;
      if (column >= first.y && column < last.y) builder.add(column - first.y, units);
    });
    builder.end_row();
  }
  return builder.finish();
}

PairPosterior PiecedPair::posterior() const {
  // No two parts have a cell in the same row or column, so their accuracies add up.
  std::uint64_t accuracy = 0;
  SparseMatrixBuilder builder(n_, m_, std::size_t{m_} + m_ / 8);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const PairCut first = cuts_[k], last = cuts_[k + 1];
    if (parts_[k].is_sure) {
      for (std::uint32_t i = first.x; i < last.x; ++i) {
        const std::uint32_t j = first.y + (i - first.x);
        const std::uint32_t units = x_[i] == y_[j] && x_[i] < 4 ? kEqualUnits : kOtherUnits;
        builder.add(j, units);
        builder.end_row();
        accuracy += units;
      }
      continue;
    }
    const SparseMatrix part = between_cuts(k);
    for (std::uint32_t i = 0; i < part.rows(); ++i) {
      part.for_each_in_row(
          i, [&](std::uint32_t j, std::uint32_t units) { builder.add(first.y + j, units); });
      builder.end_row();
    }
    accuracy += expected_accuracy(part);
  }
  return {builder.finish(), accuracy};
}

}  // namespace accord
