// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/block_stream.hpp"

#include <algorithm>
#include <tuple>

#include "stages/posteriors/posterior_plan.hpp"

namespace accord {
namespace {

bool is_larger(const WantedBlock& a, const WantedBlock& b) {
  return std::tuple(b.cells, a.first) < std::tuple(a.cells, b.first);
}

}  // namespace

BlockStream::BlockStream(std::span<const std::uint32_t> lengths, const PairSet& pairs)
    : lengths_(lengths), pairs_(pairs) {
  for (std::uint32_t y = 0; y < lengths.size() && lengths[y] > 0; ++y) {
    if (!pairs.partners(y).empty()) of_list_.push_back(y);
  }
  std::stable_sort(of_list_.begin(), of_list_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return pairs.list(a) < pairs.list(b); });
  for (std::size_t begin = 0, end = 0; begin < of_list_.size(); begin = end) {
    while (end < of_list_.size() && pairs.list(of_list_[end]) == pairs.list(of_list_[begin])) ++end;
    add_list(begin, end);
  }
  std::sort(last_.begin(), last_.end(), is_larger);
  if (!last_.empty()) add({last_.front(), kLast, 0, last_.size()});
}

/// Adds the blocks of the y's of_list_[begin, end), which have the same list.
void BlockStream::add_list(std::size_t begin, std::size_t end) {
  std::size_t full_places = 0;  // number of full blocks of the y's so far
  double full_cells = 0;        // of the blocks at these places, for a y of one residue
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint32_t y = of_list_[k];
    const std::size_t partners = pairs_.partners(y).size();
    for (; (full_places + 1) * kBlockPairs <= partners; ++full_places) {
      const WantedBlock block = block_at(y, full_places * kBlockPairs);
      full_cells += static_cast<double>(block.cells / lengths_[y]);
      add({block, full_places * kBlockPairs, k, end});
    }
    blocks_ += full_places;
    cells_ += full_cells * lengths_[y];
    if (partners % kBlockPairs == 0) continue;
    last_.push_back(block_at(y, full_places * kBlockPairs));
    ++blocks_;
    cells_ += static_cast<double>(last_.back().cells);
  }
}

/// The block of y whose first partner is at this place of the list.
WantedBlock BlockStream::block_at(std::uint32_t y, std::size_t place) const {
  const std::span<const std::uint32_t> partners = pairs_.partners(y);
  WantedBlock block;
  block.first = pairs_.first(y) + place;
  block.y = y;
  block.count =
      static_cast<std::uint32_t>(std::min<std::size_t>(kBlockPairs, partners.size() - place));
  block.cells = std::uint64_t{lengths_[partners[place]]} * lengths_[y] * block.count;
  return block;
}

bool BlockStream::comes_later(const Source& a, const Source& b) {
  return is_larger(b.block, a.block);
}

void BlockStream::add(Source source) {
  next_.push_back(source);
  std::push_heap(next_.begin(), next_.end(), comes_later);
}

void BlockStream::pop() {
  std::pop_heap(next_.begin(), next_.end(), comes_later);
  Source source = next_.back();
  next_.pop_back();
  if (++source.position == source.end) return;
  source.block = source.place == kLast ? last_[source.position]
                                       : block_at(of_list_[source.position], source.place);
  add(source);
}

WantedBlock BlockWindow::at(std::size_t block) {
  const std::lock_guard lock(mutex_);
  while (pieces_made_ <= block / kPiece) {
    Piece& piece = pieces_[pieces_made_++];
    for (; !stream_.empty() && piece.blocks.size() < kPiece; stream_.pop()) {
      piece.blocks.push_back(stream_.front());
    }
    piece.open = piece.blocks.size();
  }
  return pieces_.at(block / kPiece).blocks[block % kPiece];
}

void BlockWindow::release(std::size_t first, std::size_t last) {
  const std::lock_guard lock(mutex_);
  while (first < last) {
    const std::size_t end = std::min(last, (first / kPiece + 1) * kPiece);
    const auto piece = pieces_.find(first / kPiece);
    piece->second.open -= end - first;
    if (piece->second.open == 0) pieces_.erase(piece);
    first = end;
  }
}

}  // namespace accord
