// SPDX-License-Identifier: Apache-2.0
// Computes likelihoods of trees by peeling, on the host. likelihood_isa.cpp includes this text for
// doubles, likelihood_single_isa.cpp for floats. Like all code that is compiled for each
// instruction set, it is in an unnamed namespace. likelihood/peel.h defines F, M, g, H and L.
#pragma once
#include "phylogeny/likelihood/likelihood_block.hpp"
#include "phylogeny/likelihood/likelihood_vector.hpp"

namespace accord::host {
namespace {

using Block = LikelihoodBlock<accord_real>;

/// Finds the values of a node (or a tip) and a category r in a block; see LikelihoodBlock for their
/// shapes. All functions but is_tip(), table() and codes() are for inner nodes.
struct Place {
  const Block& block;
  std::int64_t states, categories;

  explicit Place(const Block& of) : block(of), states(of.states), categories(of.categories) {}

  bool is_tip(std::uint32_t node) const { return node < block.tips; }
  /// The index of the node and the category in [join][category].
  std::int64_t inner(std::uint32_t node, int r) const {
    return (static_cast<std::int64_t>(node) - block.tips) * categories + r;
  }
  accord_real* message(std::uint32_t node, int r) const {
    return block.messages + inner(node, r) * states * kLanes;
  }
  std::int32_t* exponent(std::uint32_t node, int r) const {
    return block.exponents + inner(node, r) * kLanes;
  }
  std::int32_t* shift(std::uint32_t node, int r) const {
    return block.shifts + inner(node, r) * kLanes;
  }
  /// The matrix of the branch above the node, in `of`: block.matrices or block.slope_matrices.
  const accord_real* matrix(const accord_real* of, std::uint32_t node, int r) const {
    return of + inner(node, r) * states * states;
  }
  /// The table of the tip, in `of`: block.tables or block.slope_tables.
  const accord_real* table(const accord_real* of, std::uint32_t tip, int r) const {
    return of + (tip * categories + r) * states * block.table_width;
  }
  const std::uint8_t* codes(std::uint32_t tip) const {
    return block.codes + tip * block.code_stride;
  }
};

// In the functions below, `fixed` is the number of states, or 0 if only the block has the number.

/// Returns M of a node, [s][lane]. M of an inner node lies in the block; M of a tip is looked up
/// and written to `room`.
template <int fixed>
ACCORD_FUNCTION const accord_real* message_of(const Place& at, std::uint32_t node, int r,
                                              accord_real* room) {
  if (!at.is_tip(node)) return at.message(node, r);
  const int states = fixed > 0 ? fixed : static_cast<int>(at.states);
  look_up(at.table(at.block.tables, node, r), states, at.block.table_width, at.codes(node), room);
  return room;
}

/// Does the work of peel().
template <int fixed>
void peel_states(Block& block) {
  const Place at(block);
  const int states = fixed > 0 ? fixed : static_cast<int>(block.states);
  accord_real* const room[3] = {block.scratch, block.scratch + states * kLanes,
                                block.scratch + 2 * states * kLanes};
  for (int r = 0; r < static_cast<int>(block.categories); ++r) {
    for (std::uint32_t join = 0; join < block.joins; ++join) {
      const std::uint32_t node = block.tips + join,
                          child[2] = {block.left[join], block.right[join]};
      const accord_real* const a = message_of<fixed>(at, child[0], r, room[0]);
      const accord_real* const b = message_of<fixed>(at, child[1], r, room[1]);
      std::int32_t* const shift = at.shift(node, r);
      scaled_product(a, b, states, room[2], shift);
      std::int32_t exponent[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) exponent[lane] = -shift[lane];
      for (const std::uint32_t c : child) {
        if (at.is_tip(c)) continue;
        const std::int32_t* const below = at.exponent(c, r);
        for (int lane = 0; lane < kLanes; ++lane) exponent[lane] += below[lane];
      }
      std::int32_t* const kept = at.exponent(node, r);
      for (int lane = 0; lane < kLanes; ++lane) kept[lane] = exponent[lane];
      if (join + 1 < block.joins) {
        multiply<fixed>(at.matrix(block.matrices, node, r), room[2], states, at.message(node, r));
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      Vector sum = ACCORD_PEEL_START(all(block.frequencies[0]), load(room[2] + v * kWidth));
      for (int s = 1; s < states; ++s) {
        sum = ACCORD_PEEL_ADD(sum, all(block.frequencies[s]),
                              load(room[2] + s * kLanes + v * kWidth));
      }
      store(block.root + r * kLanes + v * kWidth, sum);
    }
  }
}

/// Returns the sum of the lanes' sum_s pi_s g(s) m(s) * 2^(e - root_exponent) * share. `e` is the
/// exponent of the products g(s) m(s), `share` is LikelihoodBlock::share of the category.
ACCORD_FUNCTION accord_real slope_of(const Block& block, int states, const accord_real* g,
                                     const accord_real* m, const std::int32_t* e,
                                     const std::int32_t* root_exponent, const accord_real* share) {
  accord_real sum[kLanes];
  for (int v = 0; v < kVectors; ++v) {
    Vector total =
        ACCORD_PEEL_START(all(block.frequencies[0]) * load(g + v * kWidth), load(m + v * kWidth));
    for (int s = 1; s < states; ++s) {
      const int place = s * kLanes + v * kWidth;
      total = ACCORD_PEEL_ADD(total, all(block.frequencies[s]) * load(g + place), load(m + place));
    }
    store(sum + v * kWidth, total);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    sum[lane] = sum[lane] * accord_power_of_two(e[lane] - root_exponent[lane]) * share[lane];
  }
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) sum[lane] += sum[lane + half];
  }
  return sum[0];
}

/// Writes M' of a node to `room`, [s][lane]. `product_room` and `other_room` are working memory.
template <int fixed>
ACCORD_FUNCTION void slope_message(const Place& at, std::uint32_t node, int r, accord_real* room,
                                   accord_real* product_room, accord_real* other_room) {
  const Block& block = at.block;
  const int states = fixed > 0 ? fixed : static_cast<int>(at.states);
  if (at.is_tip(node)) {
    look_up(at.table(block.slope_tables, node, r), states, block.table_width, at.codes(node), room);
    return;
  }
  const std::uint32_t join = node - block.tips;
  const accord_real* const a = message_of<fixed>(at, block.left[join], r, room);
  const accord_real* const b = message_of<fixed>(at, block.right[join], r, other_room);
  accord_real largest[kLanes];
  product(a, b, states, product_room, largest);
  scale(product_room, states, at.shift(node, r));
  multiply<fixed>(at.matrix(block.slope_matrices, node, r), product_room, states, room);
}

/// Does the work of find_slopes(). Replaces M of the inner nodes in the block by H.
template <int fixed>
void find_slopes_of_states(Block& block) {
  const Place at(block);
  const int states = fixed > 0 ? fixed : static_cast<int>(block.states);
  const int size = states * kLanes;
  accord_real* const around[2] = {block.scratch, block.scratch + size};  // g of both children
  accord_real* const room[3] = {block.scratch + 2 * size, block.scratch + 3 * size,
                                block.scratch + 4 * size};
  const std::int32_t none[kLanes] = {};
  for (std::uint32_t node = 0; node <= block.tips + block.joins - 1; ++node) block.slope[node] = 0;
  for (int r = 0; r < static_cast<int>(block.categories); ++r) {
    std::int32_t root_exponent[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      root_exponent[lane] = at.exponent(block.tips + block.joins - 1, r)[lane];
    }
    for (std::uint32_t join = block.joins; join-- > 0;) {
      const std::uint32_t node = block.tips + join;
      const std::uint32_t child[2] = {block.left[join], block.right[join]};
      const bool is_root = join + 1 == block.joins;
      std::int32_t exponent[2][kLanes], around_exponent[2][kLanes];
      const accord_real* message[2];
      for (int k = 0; k < 2; ++k) {
        message[k] = message_of<fixed>(at, child[k], r, room[k]);
        const std::int32_t* const e = at.is_tip(child[k]) ? none : at.exponent(child[k], r);
        for (int lane = 0; lane < kLanes; ++lane) exponent[k][lane] = e[lane];
      }
      for (int k = 0; k < 2; ++k) {
        const accord_real* const sister = message[1 - k];
        std::int32_t shift[kLanes] = {};
        if (is_root) {
          for (int i = 0; i < size; ++i) around[k][i] = sister[i];
        } else {
          scaled_product(at.message(node, r), sister, states, around[k], shift);
        }
        for (int lane = 0; lane < kLanes; ++lane) {
          around_exponent[k][lane] =
              exponent[1 - k][lane] - shift[lane] + (is_root ? 0 : at.exponent(node, r)[lane]);
        }
      }
      for (int k = 0; k < 2; ++k) {
        std::int32_t e[kLanes];
        slope_message<fixed>(at, child[k], r, room[0], room[1], room[2]);
        for (int lane = 0; lane < kLanes; ++lane)
          e[lane] = around_exponent[k][lane] + exponent[k][lane];
        block.slope[child[k]] +=
            slope_of(block, states, around[k], room[0], e, root_exponent, block.share + r * kLanes);
        if (at.is_tip(child[k])) continue;
        // From here on the place of M has H.
        multiply<fixed>(at.matrix(block.matrices, child[k], r), around[k], states,
                        at.message(child[k], r));
        for (int lane = 0; lane < kLanes; ++lane) {
          at.exponent(child[k], r)[lane] = around_exponent[k][lane];
        }
      }
    }
  }
}

/// Computes L of a block, as PeelKernels::peel.
void peel(Block& block) {
  switch (block.states) {
    case 4:
      return peel_states<4>(block);
    case 20:
      return peel_states<20>(block);
    case 61:
      return peel_states<61>(block);
    default:
      return peel_states<0>(block);
  }
}

/// Computes the slopes of a block after peel(), as PeelKernels::find_slopes.
void find_slopes(Block& block) {
  switch (block.states) {
    case 4:
      return find_slopes_of_states<4>(block);
    case 20:
      return find_slopes_of_states<20>(block);
    case 61:
      return find_slopes_of_states<61>(block);
    default:
      return find_slopes_of_states<0>(block);
  }
}

constexpr PeelKernels<accord_real> kPeelKernels = {peel, find_slopes};

}  // namespace
}  // namespace accord::host
