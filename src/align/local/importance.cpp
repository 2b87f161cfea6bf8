// SPDX-License-Identifier: Apache-2.0
#include "align/local/importance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/parallel.hpp"

namespace accord {
namespace {

/// Mean score of the aligned residues of a local alignment.
double evidence(const LocalAlignment& alignment, std::span<const std::uint8_t> x,
                std::span<const std::uint8_t> y, std::span<const std::int32_t> scores) {
  std::int64_t sum = 0;
  for (const LocalSegment& segment : alignment.segments) {
    for (std::uint32_t k = 0; k < segment.length; ++k) {
      sum += scores[x[segment.x + k] * std::size_t{ACCORD_SYMBOLS} + y[segment.y + k]];
    }
  }
  const std::uint64_t pairs = alignment.pairs();
  return pairs > 0 ? static_cast<double>(sum) / static_cast<double>(pairs) : 0;
}

/// For each residue, the sum of the weights of the sequences whose local alignments cover it,
/// stored as prefix sums.
class Support {
 public:
  Support(const CodedSequences& sequences, std::span<const LocalAlignment> alignments,
          std::span<const double> weights)
      : before_(sequences.size()) {
    for (std::size_t x = 0; x < before_.size(); ++x) before_[x].assign(sequences.length(x) + 1, 0);
    std::size_t pair = 0;
    for (std::size_t y = 1; y < before_.size(); ++y) {
      for (std::size_t x = 0; x < y; ++x, ++pair) {
        for (const LocalSegment& segment : alignments[pair].segments) {
          for (std::uint32_t k = 1; k <= segment.length; ++k) {
            before_[x][segment.x + k] += weights[y];
            before_[y][segment.y + k] += weights[x];
          }
        }
      }
    }
    for (std::vector<double>& sums : before_) {
      for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    }
  }

  /// The mean over residues [first, first + length) of sequence x.
  double mean(std::size_t x, std::uint32_t first, std::uint32_t length) const {
    return (before_[x][first + length] - before_[x][first]) / length;
  }

 private:
  std::vector<std::vector<double>> before_;
};

SparseMatrix cells_of(const LocalAlignment& alignment, std::uint32_t rows, std::uint32_t cols,
                      const std::function<double(const LocalSegment&)>& value) {
  SparseMatrixBuilder builder(cols, rows, alignment.pairs());
  std::uint32_t row = 0;
  for (const LocalSegment& segment : alignment.segments) {
    for (; row < segment.x; ++row) builder.end_row();
    const double units = std::floor(kImportanceUnits * value(segment) + 0.5);
    for (std::uint32_t k = 0; k < segment.length; ++k, ++row) {
      builder.add(segment.y + k, static_cast<std::uint32_t>(std::clamp(units, 0.0, 65535.0)));
      builder.end_row();
    }
  }
  for (; row < rows; ++row) builder.end_row();
  return builder.finish();
}

}  // namespace

float local_distance(std::int32_t score, std::int64_t self_x, std::int64_t self_y) {
  const std::int64_t self = std::min(self_x, self_y);
  if (self <= 0) return 2;
  const double share = static_cast<double>(score) / static_cast<double>(self);
  return static_cast<float>(std::clamp(2 * (1 - share), 0.0, 2.0));
}

std::int64_t self_score(std::span<const std::uint8_t> codes, const accord_local_scores& scores) {
  std::int64_t sum = 0;
  for (const std::uint8_t code : codes) sum += scores.score[code * (ACCORD_SYMBOLS + 1)];
  return sum;
}

std::vector<double> path_weights(const GuideTree& tree) {
  const GuideTree branches = with_branch_lengths(tree);
  // s(node) = length + s(parent) / 2, and 0 for the root; the sum of a leaf is s of its node.
  std::vector<double> sum(tree.nodes(), 0.0);
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      sum[child] = std::max(0.0, branches.length[child]) + sum[tree.leaves + k] / 2;
    }
  }
  sum.resize(tree.leaves);
  double total = 0;
  for (double& weight : sum) total += weight += 0.001;
  for (double& weight : sum) weight /= total;
  return sum;
}

PosteriorSet importance(const CodedSequences& sequences, std::span<const LocalAlignment> alignments,
                        std::span<const double> weights, std::span<const std::int32_t> scores,
                        double factor) {
  const std::size_t n = sequences.size();
  const Support support(sequences, alignments, weights);
  PosteriorSet cells(n);
  parallel_for(n, [&](std::size_t y, int) {
    for (std::size_t x = 0; x < y; ++x) {
      const LocalAlignment& alignment = alignments[y * (y - 1) / 2 + x];
      const double mean = evidence(alignment, sequences.codes(x), sequences.codes(y), scores);
      cells.at(x, y) = cells_of(alignment, sequences.length(x), sequences.length(y),
                                [&](const LocalSegment& segment) {
                                  return factor * mean / 2 *
                                         (support.mean(x, segment.x, segment.length) +
                                          support.mean(y, segment.y, segment.length));
                                });
    }
  });
  return cells;
}

}  // namespace accord
