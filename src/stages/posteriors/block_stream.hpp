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

/// Pairs of a set that are computed together: the pairs with numbers first ... first + count - 1,
/// all with the same y.
struct WantedBlock {
  std::size_t first = 0;
  std::uint32_t y = 0;
  std::uint32_t count = 0;
  std::uint64_t cells = 0;  ///< of the longest pair, times count
};

/// The blocks of a set of pairs, one after another: a block has up to kBlockPairs partners of one
/// y. Blocks with most cells come first; ties go to the block whose first pair has the lower
/// number. Blocks are computed when they are asked for, since a list of all blocks of a family
/// could be too long. Pairs with an empty sequence are left out.
/// Cost    O(N) memory and O(log N) a block; for a listed set memory that grows with its blocks.
class BlockStream {
 public:
  /// `lengths`: of all sequences of the family, never increasing. Both arguments must outlive the
  /// stream.
  BlockStream(std::span<const std::uint32_t> lengths, const PairSet& pairs);

  bool empty() const noexcept { return next_.empty(); }
  /// The next block; the stream must not be empty.
  const WantedBlock& front() const { return next_.front().block; }
  /// Goes on to the next block.
  void pop();

  /// The number of all blocks, and the sum of their cells; pop() does not change them.
  std::size_t blocks() const noexcept { return blocks_; }
  double cells() const noexcept { return cells_; }

 private:
  /// A sequence of blocks with decreasing cells, and its first block that front() has not returned.
  /// The blocks are those at one place of a list of partners, for one y after another; or those at
  /// the ends of the lists, which are not full.
  struct Source {
    WantedBlock block;
    std::size_t place = 0;     // of its first partner in the list; kLast: a block of last_
    std::size_t position = 0;  // of y in of_list_, or of the block in last_
    std::size_t end = 0;       // end of the y's with the same list, in of_list_
  };
  static constexpr std::size_t kLast = SIZE_MAX;
  static bool comes_later(const Source& a, const Source& b);

  WantedBlock block_at(std::uint32_t y, std::size_t place) const;
  void add_list(std::size_t begin, std::size_t end);
  void add(Source source);

  std::span<const std::uint32_t> lengths_;
  const PairSet& pairs_;
  std::vector<std::uint32_t> of_list_;  // the y's, sorted so that equal lists are side by side
  std::vector<WantedBlock> last_;       // the last block of each y, if it is not full
  std::vector<Source> next_;            // a heap
  std::size_t blocks_ = 0;
  double cells_ = 0;
};

/// The blocks of a BlockStream by number, for several threads. Blocks are in memory from the first
/// at() to release().
class BlockWindow {
 public:
  /// Arguments as for BlockStream.
  BlockWindow(std::span<const std::uint32_t> lengths, const PairSet& pairs)
      : stream_(lengths, pairs), blocks_(stream_.blocks()), cells_(stream_.cells()) {}

  std::size_t blocks() const noexcept { return blocks_; }
  double cells() const noexcept { return cells_; }

  /// The block with a number below blocks(), which must not have been released.
  /// Throws  std::out_of_range for a block that was released together with its neighbours.
  WantedBlock at(std::size_t block);
  /// Releases the blocks [first, last): at() may not be called for them again. Release each block
  /// once.
  void release(std::size_t first, std::size_t last);

 private:
  /// kPiece successive blocks.
  struct Piece {
    std::vector<WantedBlock> blocks;
    std::size_t open = 0;  // number of blocks that are not released
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
