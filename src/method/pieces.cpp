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
#include "method/pieced_pair.hpp"
#include "stages/posteriors/posterior_request.hpp"

namespace accord {
namespace {

constexpr std::uint64_t kBlockResidues = 1 << 24;  // of the pieces in memory at a time

/// The pieces of some pairs whose posteriors are missing, as a family of sequences.
class PieceFamily {
 public:
  PieceFamily(const SequenceSet& set, std::vector<PiecedPair>& pairs) {
    std::vector<SequenceRecord> records;
    for (PiecedPair& pair : pairs) {
      for (std::size_t k = 0; k < pair.parts(); ++k) {
        if (!pair.is_wanted(k)) continue;
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

  /// Computes the posteriors of the pieces and stores them in the pairs.
  void compute(const PosteriorModel& model, Scheduler& scheduler, ProgressListener* progress) {
    std::vector<PairIndex> listed;
    for (std::size_t q = 0; q < wanted_.size(); ++q) {
      listed.push_back({std::min(of_x(q), of_y(q)), std::max(of_x(q), of_y(q))});
    }
    PosteriorSet posteriors(PairSet::listed(family_.size(), std::move(listed)));
    const PosteriorSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
      posteriors.at(x, y) = std::move(pair.matrix);
    };
    request_posteriors({family_, model}, posteriors.pairs(), scheduler, keep, progress);
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

/// The anchors of pairs. A sequence that occurs in several pairs is indexed once.
class PairAnchors {
 public:
  PairAnchors(const SequenceSet& set, std::span<const PairIndex> pairs)
      : set_(set), pairs_of_(set.size(), 0), index_(set.size()) {
    for (const auto& [x, y] : pairs) {
      ++pairs_of_[x];
      ++pairs_of_[y];
    }
    std::vector<std::uint32_t> indexed;
    for (const PairIndex& pair : pairs) indexed.push_back(in_more_pairs(pair));
    std::ranges::sort(indexed);
    indexed.erase(std::unique(indexed.begin(), indexed.end()), indexed.end());
    parallel_for(indexed.size(), [&](std::size_t k, int) {
      index_[indexed[k]].emplace(set.coded().codes(indexed[k]));
    });
  }

  std::vector<Anchor> chain(PairIndex pair) const {
    const CodedSequences& coded = set_.coded();
    return in_more_pairs(pair) == pair.x ? anchor_chain(*index_[pair.x], coded.codes(pair.y))
                                         : anchor_chain(coded.codes(pair.x), *index_[pair.y]);
  }

 private:
  std::uint32_t in_more_pairs(PairIndex pair) const {
    return pairs_of_[pair.x] >= pairs_of_[pair.y] ? pair.x : pair.y;
  }

  const SequenceSet& set_;
  std::vector<std::uint32_t> pairs_of_;
  std::vector<std::optional<AnchorIndex>> index_;
};

bool is_long(const SequenceSet& set, PairIndex pair, const PieceRule& rule) {
  return static_cast<double>(set.length(pair.x)) * set.length(pair.y) >= rule.least_cells;
}

/// The wanted pairs of nucleotide sequences that are long.
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

/// The pairs that have a cut.
std::vector<PiecedPair> with_cuts(const SequenceSet& set, std::span<const PairIndex> pairs,
                                  const PieceRule& rule) {
  const PairAnchors anchors(set, pairs);
  std::vector<std::optional<PiecedPair>> found(pairs.size());
  parallel_for(pairs.size(), [&](std::size_t k, int) {
    found[k].emplace(set, pairs[k], anchors.chain(pairs[k]), rule);
  });
  std::vector<PiecedPair> block;
  for (auto& pair : found) {
    if (pair->parts() > 1) block.push_back(std::move(*pair));
  }
  return block;
}

/// The wanted pairs that are not in `done`, which is in the order of the set.
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
  const CodedSequences& coded = set.coded();
  const PiecedPair pieced(set, pair, anchor_chain(coded.codes(pair.x), coded.codes(pair.y)), rule);
  return pieced.cells() / (static_cast<double>(set.length(pair.x)) * set.length(pair.y));
}

std::optional<PairSet> compute_in_pieces(const PosteriorFamily& family, const PairSet& wanted,
                                         Scheduler& scheduler, const PosteriorSink& sink,
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
        with_cuts(set, std::span(pairs).subspan(begin, end - begin), rule);
    // Each round removes more cuts around a failed one, so that all rounds together have only a
    // few times the cells of the last round.
    for (std::size_t reach = 0; true; reach = 2 * reach + 1) {
      PieceFamily pieces(set, block);
      if (pieces.is_empty()) break;
      pieces.compute(family.model, scheduler, progress);
      for (PiecedPair& pair : block) pair.check_cuts(reach);
    }
    std::vector<std::optional<PairPosterior>> finished(block.size());
    parallel_for(block.size(),
                 [&](std::size_t k, int) { finished[k].emplace(block[k].posterior()); });
    for (std::size_t k = 0; k < block.size(); ++k) {
      const PiecedPair& pair = block[k];
      sink(pair.pair().x, pair.pair().y, std::move(*finished[k]));
      done.push_back(pair.pair());
      ++count.pairs;
      count.pieces += pair.pieces();
    }
  }
  if (done.empty()) return std::nullopt;
  return without(wanted, done);
}

}  // namespace accord
