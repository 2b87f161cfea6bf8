// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace accord {

/// The bases of an RNA: 0 to 3 for A, C, G and U (or T), 4 for all other letters, which pair with
/// none.
std::vector<std::uint8_t> bases_of(std::string_view letters);

/// Boltzmann factors exp(-E / RT) of the loops of RNA at 37 degrees. E is the free energy of the
/// nearest-neighbour model (Mathews et al. 2004, PNAS 101:7287): stacked pairs, initiation of
/// loops, terminal AU and GU pairs, dangling ends, and the bonuses of first mismatches. Its tables
/// of mismatches and of special hairpins are left out; the mismatch of a hairpin is the sum of two
/// dangling ends.
///
/// `bases` is a whole sequence, from bases_of(). Bases i < j are paired.
class LoopWeights {
 public:
  /// Most bases between a pair and the next pair inside, on both sides together.
  static constexpr std::size_t kMostUnpaired = 16;
  /// Fewest bases of a hairpin.
  static constexpr std::size_t kFewestOfHairpin = 3;

  LoopWeights();

  /// Whether bases i and j pair: GC, AU or GU, with room for a hairpin.
  static bool can_pair(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j);

  /// Of the hairpin that the pair closes.
  double hairpin(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) const;
  /// Of the stack, bulge or interior loop between the pair i, j and the next pair inside, k, l.
  double interior(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j, std::size_t k,
                  std::size_t l) const;
  /// Of the end of a stem outside of all loops: the bases before i and behind j dangle.
  double stem(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) const;
  /// The same of a branch of a multiloop.
  double branch(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) const;
  /// Of the pair that closes a multiloop.
  double multiloop(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) const;

 private:
  static constexpr std::size_t kPairs = 6, kBases = 4;

  double dangles(std::size_t pair, std::size_t before, std::size_t behind) const;
  double terminal(std::size_t pair) const;

  std::array<std::array<double, kPairs>, kPairs> stack_{};
  std::array<std::array<double, kBases + 1>, kPairs> before_{}, behind_{};  // 1 for no base
  std::array<double, kMostUnpaired + 1> bulge_{}, interior_{}, asymmetry_{};
  std::vector<double> hairpin_;
  double terminal_ = 1, interior_terminal_ = 1, hairpin_mismatch_ = 1, purines_ = 1, uracils_ = 1,
         single_mismatch_ = 1, single_guanines_ = 1, branch_ = 1, multiloop_ = 1;
};

/// The factors, computed once.
const LoopWeights& loop_weights();

}  // namespace accord
