// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/pair_set.hpp"

namespace accord {

/// Pairs of a set that are handed out together: those with the numbers first ... first + count - 1,
/// all with the same y.
struct WantedBlock {
  std::size_t first = 0;
  std::uint32_t y = 0;
  std::uint32_t count = 0;
  std::uint64_t cells = 0;  ///< of the longest pair, times count
};

/// The blocks that a set of pairs is cut into, kBlockPairs partners of a y at a time; those with
/// most cells first, then by the number of the first pair. They are found one after the other: a
/// family has too many to list them all. Pairs with an empty sequence are left out.
/// Cost    O(N) memory and O(log N) a block; for a listed set memory that grows with its blocks.
class BlockStream {
 public:
  /// `lengths` of all sequences of the family, never increasing; both must outlive the stream.
  BlockStream(std::span<const std::uint32_t> lengths, const PairSet& pairs);

  bool empty() const noexcept { return next_.empty(); }
  /// The next block; there must be one.
  const WantedBlock& front() const { return next_.front().block; }
  /// Goes on to the block behind it.
  void pop();

  /// Of all blocks, from the first to the last.
  std::size_t blocks() const noexcept { return blocks_; }
  double cells() const noexcept { return cells_; }

 private:
  /// Blocks in falling order of their cells, and the first of them that has not been handed out:
  /// those at one place of a list of partners, of ever later y's; or the last blocks of the y's.
  struct Source {
    WantedBlock block;
    std::size_t place = 0;  // of the block's first partner in its list; kLast: of the last blocks
    std::size_t position = 0;  // of y in of_list_, or of the block in last_
    std::size_t end = 0;       // of the y's with the same list
  };
  static constexpr std::size_t kLast = SIZE_MAX;
  static bool comes_later(const Source& a, const Source& b);

  WantedBlock block_at(std::uint32_t y, std::size_t place) const;
  void add_list(std::size_t begin, std::size_t end);
  void add(Source source);

  std::span<const std::uint32_t> lengths_;
  const PairSet& pairs_;
  std::vector<std::uint32_t> of_list_;  // the y's, those with the same list side by side
  std::vector<WantedBlock> last_;       // the last block of each y, if it is not full
  std::vector<Source> next_;            // a heap
  std::size_t blocks_ = 0;
  double cells_ = 0;
};

/// The blocks of a BlockStream by their place in its order, for several threads. Those that have
/// been asked for and not released are in memory, and not the others.
class BlockWindow {
 public:
  /// As BlockStream.
  BlockWindow(std::span<const std::uint32_t> lengths, const PairSet& pairs)
      : stream_(lengths, pairs), blocks_(stream_.blocks()), cells_(stream_.cells()) {}

  std::size_t blocks() const noexcept { return blocks_; }
  double cells() const noexcept { return cells_; }

  /// A block that has not been released, below blocks().
  /// Throws  std::out_of_range for one that is forgotten: released, as its neighbours are.
  WantedBlock at(std::size_t block);
  /// The blocks [first, last) will not be asked for again. Each is released once.
  void release(std::size_t first, std::size_t last);

 private:
  /// Successive blocks, as many as kPiece.
  struct Piece {
    std::vector<WantedBlock> blocks;
    std::size_t open = 0;  // of them that are not released
  };
  static constexpr std::size_t kPiece = 4096;

  mutable std::mutex mutex_;
  BlockStream stream_;
  const std::size_t blocks_;
  const double cells_;
  std::size_t pieces_made_ = 0;
  std::unordered_map<std::size_t, Piece> pieces_;  // by number
};

}  // namespace accord
