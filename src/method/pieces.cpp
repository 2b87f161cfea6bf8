// SPDX-License-Identifier: Apache-2.0
#include "method/pieces.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "core/posterior_set.hpp"
#include "method/anchors.hpp"

namespace accord {
namespace {

constexpr std::uint64_t kBlockResidues = 1 << 24;  // of pieces that are in memory at a time

/// A place in both sequences.
struct Seam {
  std::uint32_t x, y;
};

/// Part of both sequences: from the first place to before the second.
struct Extent {
  Seam first, last;
};

/// The middles of long stretches, a piece apart from each other and from the ends.
std::vector<Seam> choose_seams(const std::vector<Anchor>& chain, std::uint32_t m, std::uint32_t n,
                               const PieceRule& rule) {
  std::vector<Seam> seams = {{0, 0}};
  for (std::size_t k = 0; k < chain.size();) {
    const Seam from = {seams.back().x + rule.piece, seams.back().y + rule.piece};
    const Anchor* best = nullptr;
    for (; k < chain.size() && (best == nullptr || chain[k].x < from.x + rule.piece); ++k) {
      const Anchor& anchor = chain[k];
      const std::uint32_t half = anchor.length / 2;
      if (anchor.x + half < from.x || anchor.y + half < from.y) continue;
      if (best == nullptr || anchor.length > best->length) best = &anchor;
    }
    if (best == nullptr) break;
    const Seam seam = {best->x + best->length / 2, best->y + best->length / 2};
    if (seam.x + rule.piece > m || seam.y + rule.piece > n) break;
    seams.push_back(seam);
    k = static_cast<std::size_t>(best - chain.data()) + 1;
  }
  seams.push_back({m, n});
  return seams;
}

/// A pair that is computed in pieces.
class PiecedPair {
 public:
  PiecedPair(const SequenceSet& set, PairIndex pair, const PieceRule& rule)
      : pair_(pair), flank_(rule.flank), m_(set.length(pair.x)), n_(set.length(pair.y)) {
    seams_ = choose_seams(anchor_chain(set.coded().codes(pair.x), set.coded().codes(pair.y)), m_,
                          n_, rule);
    pieces_.resize(seams_.size() - 1);
  }

  PairIndex pair() const { return pair_; }
  std::size_t pieces() const { return pieces_.size(); }
  bool is_known(std::size_t k) const { return pieces_[k].has_value(); }
  void set_piece(std::size_t k, SparseMatrix matrix) { pieces_[k] = std::move(matrix); }

  /// A piece with its flanks.
  Extent extent(std::size_t k) const {
    const Seam a = seams_[k], b = seams_[k + 1];
    return {{a.x - std::min(flank_, a.x), a.y - std::min(flank_, a.y)},
            {std::min(b.x + flank_, m_), std::min(b.y + flank_, n_)}};
  }

  /// Gives up the seams that do not hold, all pieces being known, and `reach` others on either
  /// side of each.
  void check_seams(std::size_t reach) {
    const std::size_t inner = pieces_.size() - 1;
    std::vector<bool> is_kept(inner, true);  // seams_[k + 1]
    for (std::size_t k = 0; k < inner; ++k) {
      if (holds(k + 1)) continue;
      const std::size_t first = k - std::min(k, reach), last = std::min(k + reach + 1, inner);
      for (std::size_t other = first; other < last; ++other) is_kept[other] = false;
    }
    std::vector<Seam> seams = {seams_.front()};
    std::vector<std::optional<SparseMatrix>> pieces;
    for (std::size_t first = 0, k = 0; k <= inner; ++k) {
      if (k < inner && !is_kept[k]) continue;
      seams.push_back(seams_[k + 1]);
      pieces.push_back(first == k ? std::move(pieces_[k]) : std::nullopt);
      first = k + 1;
    }
    seams_ = std::move(seams);
    pieces_ = std::move(pieces);
  }

  /// The matrix of the pair.
  SparseMatrix matrix() const {
    std::size_t cells = 0;
    for (const auto& piece : pieces_) cells += piece->packed().size();
    SparseMatrixBuilder builder(n_, m_, cells);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const Seam origin = extent(k).first, first = seams_[k], last = seams_[k + 1];
      for (std::uint32_t i = first.x; i < last.x; ++i) {
        pieces_[k]->for_each_in_row(i - origin.x, [&](std::uint32_t j, std::uint32_t units) {
          const std::uint32_t column = j + origin.y;
          if (column >= first.y && column < last.y) builder.add(column, units);
        });
        builder.end_row();
      }
    }
    return builder.finish();
  }

 private:
  bool holds(std::size_t seam) const {
    const Seam at = seams_[seam];
    for (const std::size_t k : {seam - 1, seam}) {
      const Seam origin = extent(k).first;
      const std::uint32_t units = pieces_[k]->units_at(at.x - origin.x, at.y - origin.y);
      if (units < kSureSeam * ACCORD_UNITS_OF_ONE) return false;
    }
    return true;
  }

  PairIndex pair_;
  std::uint32_t flank_, m_, n_;
  std::vector<Seam> seams_;  // the ends of both sequences included
  std::vector<std::optional<SparseMatrix>> pieces_;
};

/// The pieces of some pairs that are not known, as a family.
class PieceFamily {
 public:
  PieceFamily(const SequenceSet& set, std::vector<PiecedPair>& pairs) {
    std::vector<SequenceRecord> records;
    for (PiecedPair& pair : pairs) {
      for (std::size_t k = 0; k < pair.pieces(); ++k) {
        if (pair.is_known(k)) continue;
        const auto [first, last] = pair.extent(k);
        wanted_.push_back({&pair, k});
        records.push_back({std::to_string(records.size()),
                           set.letters(pair.pair().x).substr(first.x, last.x - first.x)});
        records.push_back({std::to_string(records.size()),
                           set.letters(pair.pair().y).substr(first.y, last.y - first.y)});
      }
    }
    family_ = SequenceSet(std::move(records), set.type());
  }

  bool is_empty() const { return wanted_.empty(); }

  /// Makes the pieces known.
  void compute(const PosteriorModel& model, Scheduler& scheduler, ProgressListener* progress) {
    std::vector<PairIndex> listed;
    for (std::size_t q = 0; q < wanted_.size(); ++q) {
      listed.push_back({std::min(of_x(q), of_y(q)), std::max(of_x(q), of_y(q))});
    }
    PosteriorSet posteriors(PairSet::listed(family_.size(), std::move(listed)));
    const MatrixSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
      posteriors.at(x, y) = std::move(pair.matrix);
    };
    scheduler.posteriors({family_, model}, posteriors.pairs(), keep, progress);
    for (std::size_t q = 0; q < wanted_.size(); ++q) {
      const std::uint32_t x = of_x(q), y = of_y(q);
      wanted_[q].pair->set_piece(wanted_[q].piece, x < y ? std::move(posteriors.at(x, y))
                                                         : posteriors.at(y, x).transposed());
    }
  }

 private:
  struct Wanted {
    PiecedPair* pair;
    std::size_t piece;
  };
  std::uint32_t of_x(std::size_t q) const {
    return static_cast<std::uint32_t>(family_.from_input(2 * q));
  }
  std::uint32_t of_y(std::size_t q) const {
    return static_cast<std::uint32_t>(family_.from_input(2 * q + 1));
  }

  std::vector<Wanted> wanted_;
  SequenceSet family_;
};

bool is_long(const SequenceSet& set, PairIndex pair, const PieceRule& rule) {
  return static_cast<double>(set.length(pair.x)) * set.length(pair.y) >= rule.least_cells;
}

/// The long pairs of nucleotide sequences.
std::vector<PairIndex> long_pairs(const SequenceSet& set, const PairSet& wanted,
                                  const PieceRule& rule) {
  std::vector<PairIndex> pairs;
  const std::size_t sequences = long_sequences(set, rule);
  for (std::uint32_t y = 1; y < sequences; ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      if (is_long(set, {x, y}, rule)) pairs.push_back({x, y});
    }
  }
  return pairs;
}

/// Those of the pairs that have seams.
std::vector<PiecedPair> with_seams(const SequenceSet& set, std::span<const PairIndex> pairs,
                                   const PieceRule& rule) {
  std::vector<std::optional<PiecedPair>> found(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t k, int) { found[k].emplace(set, pairs[k], rule); });
  std::vector<PiecedPair> block;
  for (auto& pair : found) {
    if (pair->pieces() > 1) block.push_back(std::move(*pair));
  }
  return block;
}

/// All pairs of the wanted ones that are not among the others, which are in the order of the set.
PairSet without(const PairSet& wanted, std::span<const PairIndex> done) {
  std::vector<PairIndex> rest;
  std::size_t next = 0;
  for (std::uint32_t y = 0; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      const PairIndex pair{x, y};
      if (next < done.size() && done[next] == pair) {
        ++next;
      } else {
        rest.push_back(pair);
      }
    }
  }
  return PairSet::listed(wanted.sequences(), std::move(rest));
}

}  // namespace

std::size_t long_sequences(const SequenceSet& set, const PieceRule& rule) {
  if (set.type() == ResidueType::protein) return 0;
  std::uint32_t sequences = 0;  // lengths never increase
  while (sequences < set.size() && is_long(set, {0, sequences}, rule)) ++sequences;
  return sequences;
}

double share_in_pieces(const SequenceSet& set, PairIndex pair, const PieceRule& rule) {
  const PiecedPair pieced(set, pair, rule);
  double cells = 0;
  for (std::size_t k = 0; k < pieced.pieces(); ++k) {
    const auto [first, last] = pieced.extent(k);
    cells += static_cast<double>(last.x - first.x) * (last.y - first.y);
  }
  return cells / (static_cast<double>(set.length(pair.x)) * set.length(pair.y));
}

std::optional<PairSet> compute_in_pieces(const PosteriorFamily& family, const PairSet& wanted,
                                         Scheduler& scheduler, const MatrixSink& sink,
                                         PieceCount& count, ProgressListener* progress,
                                         const PieceRule& rule) {
  const SequenceSet& set = family.set;
  const std::vector<PairIndex> pairs = long_pairs(set, wanted, rule);
  std::vector<PairIndex> done;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::uint64_t residues = 0;
    while (end < pairs.size() && residues < kBlockResidues) {
      residues += set.length(pairs[end].x) + set.length(pairs[end].y);
      ++end;
    }
    std::vector<PiecedPair> block =
        with_seams(set, std::span(pairs).subspan(begin, end - begin), rule);
    // Ever more seams are given up at once, so that the cells of all rounds are few times those of
    // the last one.
    for (std::size_t reach = 0; true; reach = 2 * reach + 1) {
      PieceFamily pieces(set, block);
      if (pieces.is_empty()) break;
      pieces.compute(family.model, scheduler, progress);
      for (PiecedPair& pair : block) pair.check_seams(reach);
    }
    for (const PiecedPair& pair : block) {
      sink(pair.pair().x, pair.pair().y, pair.matrix());
      done.push_back(pair.pair());
      ++count.pairs;
      count.pieces += pair.pieces();
    }
  }
  if (done.empty()) return std::nullopt;
  return without(wanted, done);
}

}  // namespace accord
