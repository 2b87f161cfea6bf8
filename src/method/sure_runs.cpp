// SPDX-License-Identifier: Apache-2.0
#include "method/sure_runs.hpp"

#include <algorithm>
#include <cstddef>

namespace accord {
namespace {

/// A range of a diagonal, by residue of x: from `first` to before `last`.
struct Range {
  std::uint32_t first, last;
};

/// A diagonal, from the start of its first shared stretch to the end of its last one.
class Diagonal {
 public:
  /// `first`, `last`: the first and the last shared stretch on the diagonal.
  Diagonal(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y, const Anchor& first,
           const Anchor& last)
      : x_(x),
        y_(y),
        offset_(std::int64_t{first.y} - first.x),
        all_{first.x, last.x + last.length} {}

  /// Looks for doubtful places between two stretches.
  void look_between(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      if (score(i, 0) == 1) continue;
      const Range around = {i - std::min(kMostShift, i - all_.first),
                            std::min(i + kMostShift + 1, all_.last)};
      if (!windows_.empty() && around.first <= windows_.back().range.last) {
        windows_.back().range.last = around.last;
        ++windows_.back().differences;
      } else {
        windows_.push_back({around, 1});
      }
    }
  }

  /// Appends the ranges that are not in doubt.
  void append_sure(std::vector<Anchor>& runs) const {
    std::vector<Range> doubtful;
    for (const Window& window : windows_) {
      if (window.differences > 1) append_doubtful(window.range, doubtful);
    }
    std::ranges::sort(doubtful, {}, &Range::first);
    std::uint32_t at = all_.first;
    for (const Range& range : doubtful) {
      if (range.first > at) runs.push_back(run(at, range.first));
      at = std::max(at, range.last);
    }
    if (all_.last > at) runs.push_back(run(at, all_.last));
  }

 private:
  struct Window {
    Range range;
    std::uint32_t differences;
  };

  int score(std::uint32_t i, std::int64_t shift) const {
    const std::int64_t j = i + offset_ + shift;
    if (j < 0 || j >= static_cast<std::int64_t>(y_.size())) return -1;
    const std::uint8_t a = x_[i], b = y_[static_cast<std::size_t>(j)];
    if (a >= 4 || b >= 4) return 0;
    return a == b ? 1 : -1;
  }

  /// Appends the parts of the range in which the sum of `gain` rises by `enough` or more.
  template <class F>
  static void append_rises(const Range& range, int enough, F&& gain, std::vector<Range>& parts) {
    int sum = 0;
    bool is_open = false;  // whether the last part belongs to the current rise
    std::uint32_t first = range.first;
    for (std::uint32_t i = range.first; i < range.last; ++i) {
      sum += gain(i);
      if (sum <= 0) {
        sum = 0;
        first = i + 1;
        is_open = false;
      } else if (sum >= enough) {
        if (!is_open) parts.push_back({first, i + 1});
        is_open = true;
        parts.back().last = i + 1;
      }
    }
  }

  void append_doubtful(const Range& range, std::vector<Range>& doubtful) const {
    append_rises(
        range, kDoubtfulLoss, [&](std::uint32_t i) { return -score(i, 0); }, doubtful);
    for (std::uint32_t shift = 1; shift <= kMostShift; ++shift) {
      const int enough = kDoubtfulGain + static_cast<int>(shift / 4);
      for (const std::int64_t signed_shift : {std::int64_t{shift}, -std::int64_t{shift}}) {
        const auto gain = [&](std::uint32_t i) { return score(i, signed_shift) - score(i, 0); };
        append_rises(range, enough, gain, doubtful);
      }
    }
  }

  Anchor run(std::uint32_t first, std::uint32_t last) const {
    return {first, static_cast<std::uint32_t>(first + offset_), last - first};
  }

  std::span<const std::uint8_t> x_, y_;
  std::int64_t offset_;
  Range all_;
  std::vector<Window> windows_;
};

}  // namespace

std::vector<Anchor> sure_runs(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                              std::span<const Anchor> chain) {
  std::vector<Anchor> runs;
  for (std::size_t begin = 0, end = 0; begin < chain.size(); begin = end) {
    const auto is_on_diagonal = [&](const Anchor& anchor) {
      return anchor.x - chain[begin].x == anchor.y - chain[begin].y;
    };
    while (end < chain.size() && is_on_diagonal(chain[end])) ++end;
    Diagonal diagonal(x, y, chain[begin], chain[end - 1]);
    for (std::size_t k = begin; k + 1 < end; ++k) {
      diagonal.look_between(chain[k].x + chain[k].length, chain[k + 1].x);
    }
    diagonal.append_sure(runs);
  }
  return runs;
}

}  // namespace accord
