// SPDX-License-Identifier: Apache-2.0
#include "method/structures/structure_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "method/structures/aligned_fit.hpp"

namespace accord {
namespace {

constexpr double kGapCost = 0.6;    // cost of a gap, in units of s
constexpr int kRounds = 8;          // alignments from one start, at most
constexpr int kFitRounds = 6;       // superpositions of one alignment, at most
constexpr std::size_t kShifts = 3;  // starts from shifts of one chain along the other
constexpr double kStands = 1e-3;    // a sum of s that changes less stands
constexpr double kSure = 0.1;       // residues below this s do not steer the next round
constexpr std::size_t kLeast = 4;   // residues of a start
constexpr double kNone = -1e30;

/// The residues with a known CA, in order.
struct KnownTrace {
  std::vector<Point> points;
  std::vector<std::uint32_t> residues;

  explicit KnownTrace(const Trace& trace) {
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!trace[i]) continue;
      points.push_back(*trace[i]);
      residues.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::size_t size() const { return points.size(); }
};

/// Alignment with free end gaps, a cost for opening a gap, and none for its extension.
class PathFinder {
 public:
  PathFinder(std::size_t m, std::size_t n) : n_(n), from_(m * n) {}

  /// The path with the largest sum of score(i, j), which is not negative, less the costs of gaps.
  /// Gaps of both sequences between two matches count as one. Among equal paths, the one whose last
  /// match comes first wins.
  template <class Score>
  ResiduePath path(double gap, const Score& score) {
    row_.assign(n_, Column{});
    double total = 0;
    std::uint64_t end = kStart;
    for (std::size_t i = 0; i < from_.size() / n_; ++i) {
      Column diagonal;  // of the row above and the column before
      double left = kNone;
      std::uint64_t left_from = kStart;
      for (std::size_t j = 0; j < n_; ++j) {
        const std::uint64_t here = i * n_ + j;
        Column& column = row_[j];
        double sum = diagonal.gapped;
        std::uint64_t from = diagonal.from;
        if (diagonal.match > sum) {
          sum = diagonal.match;
          from = here - n_ - 1;
        }
        sum += score(i, j);
        from_[here] = from;
        if (sum > total) {
          total = sum;
          end = here;
        }
        if (sum - gap > left) {
          left = sum - gap;
          left_from = here;
        }
        diagonal = column;
        column.match = sum;
        if (left > column.gapped) {
          column.gapped = left;
          column.from = left_from;
        }
      }
    }
    ResiduePath path;
    for (; end != kStart; end = from_[end]) {
      path.push_back({static_cast<std::uint32_t>(end / n_), static_cast<std::uint32_t>(end % n_)});
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  static constexpr std::uint64_t kStart = ~std::uint64_t{0};

  /// The best sums of the rows so far.
  struct Column {
    double match = kNone;         // of a path whose last match is in this column of the last row
    double gapped = 0;            // of one that ends at or before this column, less a gap
    std::uint64_t from = kStart;  // the last match of the latter
  };

  std::size_t n_;
  std::vector<std::uint64_t> from_;  // [cell]: the match before it
  std::vector<Column> row_;
};

/// The search of fit_structures() for one pair.
class FitSearch {
 public:
  FitSearch(const KnownTrace& x, const KnownTrace& y)
      : x_(x), y_(y), finder_(x.size(), y.size()), moved_(x.size()) {
    best_.scale = fit_scale(std::min(x.size(), y.size()));
    square_ = best_.scale * best_.scale;
  }

  void start(ResiduePath path) {
    double last = -1;
    for (int round = 0; round < kRounds && path.size() >= kLeast; ++round) {
      const RigidMotion motion = superpose(path).motion;
      for (std::size_t i = 0; i < x_.size(); ++i) moved_[i] = motion(x_.points[i]);
      path = finder_.path(kGapCost, [&](std::size_t i, std::size_t j) {
        return 1 / (1 + square_distance(moved_[i], y_.points[j]) / square_);
      });
      double sum = 0;
      ResiduePath sure;
      for (const auto& [i, j] : path) {
        const double s = 1 / (1 + square_distance(moved_[i], y_.points[j]) / square_);
        sum += s;
        if (s > kSure) sure.push_back({i, j});
      }
      if (sum > sum_) {
        sum_ = sum;
        best_.motion = motion;
      }
      if (std::abs(sum - last) < kStands) break;
      last = sum;
      path = std::move(sure);
    }
  }

  /// Starts from the shifts of one chain along the other with the largest sums of s.
  void start_from_shifts() {
    const auto m = static_cast<std::ptrdiff_t>(x_.size()),
               n = static_cast<std::ptrdiff_t>(y_.size());
    const std::ptrdiff_t least = std::max<std::ptrdiff_t>(std::min(m, n) / 2, kLeast);
    std::vector<std::pair<double, ResiduePath>> found;
    for (std::ptrdiff_t shift = least - m; shift <= n - least; ++shift) {
      ResiduePath path;
      for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -shift); i < m && i + shift < n; ++i) {
        path.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + shift)});
      }
      if (path.size() < kLeast) continue;
      found.push_back({superpose(path, 2).sum, std::move(path)});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t k = 0; k < std::min(kShifts, found.size()); ++k) start(found[k].second);
  }

  StructureFit best() const {
    StructureFit fit = best_;
    fit.tm_score = sum_ / static_cast<double>(std::min(x_.size(), y_.size()));
    return fit;
  }

 private:
  PointFit superpose(const ResiduePath& path, int rounds = kFitRounds) const {
    std::vector<PointPair> pairs;
    for (const auto& [i, j] : path) pairs.push_back({x_.points[i], y_.points[j], 1});
    return repeated_fit(std::move(pairs), square_, {rounds, kStands});
  }

  const KnownTrace &x_, &y_;
  PathFinder finder_;
  std::vector<Point> moved_;
  StructureFit best_;
  double square_ = 1, sum_ = -1;
};

/// The path of the largest sum of posteriors, of residues with a known CA, by their places among
/// these.
ResiduePath posterior_path(const KnownTrace& x, const KnownTrace& y,
                           const SparseMatrix& posterior) {
  const std::size_t n = y.size();
  std::vector<std::uint32_t> place(posterior.cols(), UINT32_MAX);
  for (std::size_t j = 0; j < n; ++j) place[y.residues[j]] = static_cast<std::uint32_t>(j);
  std::vector<float> units(x.size() * n, 0.0f);
  for (std::size_t i = 0; i < x.size(); ++i) {
    posterior.for_each_in_row(x.residues[i], [&](std::uint32_t column, std::uint32_t value) {
      if (place[column] != UINT32_MAX) units[i * n + place[column]] = static_cast<float>(value);
    });
  }
  ResiduePath path = PathFinder(x.size(), n).path(0, [&](std::size_t i, std::size_t j) {
    return static_cast<double>(units[i * n + j]);
  });
  std::erase_if(path, [&](const auto& cell) { return units[cell.first * n + cell.second] == 0; });
  return path;
}

}  // namespace

double fit_scale(std::size_t length) { return std::max(2.0, tm_scale(length)); }

std::optional<StructureFit> fit_structures(const Trace& x, const Trace& y,
                                           const SparseMatrix& posterior) {
  const KnownTrace of_x(x), of_y(y);
  if (std::min(of_x.size(), of_y.size()) < kLeast) return std::nullopt;
  FitSearch search(of_x, of_y);
  const ResiduePath path = posterior_path(of_x, of_y, posterior);
  search.start(path);
  const std::size_t part = std::max<std::size_t>(20, path.size() / 3);
  const std::size_t step = std::max<std::size_t>(1, path.size() / 4);
  for (std::size_t first = 0; first + 20 < path.size(); first += step) {
    const std::size_t last = std::min(first + part, path.size());
    search.start(ResiduePath(path.begin() + static_cast<std::ptrdiff_t>(first),
                             path.begin() + static_cast<std::ptrdiff_t>(last)));
  }
  search.start_from_shifts();
  return search.best();
}

}  // namespace accord
