// SPDX-License-Identifier: Apache-2.0
#include "method/folding/loop_weights.hpp"

#include <algorithm>

#include "base/portable_math.hpp"

namespace accord {
namespace {

constexpr double kThermal = 0.61632;  // RT at 37 degrees, kcal/mol
constexpr std::uint8_t kA = 0, kG = 2, kU = 3, kOther = 4;

// Kinds of pairs: CG, GC, GU, UG, AU, UA. The pair read from its other strand is the neighbour in
// the list.
constexpr std::uint8_t kNoPair = 6;
constexpr std::array<std::array<std::uint8_t, 5>, 5> kPairOf = {
    {{6, 6, 6, 4, 6}, {6, 6, 0, 6, 6}, {6, 1, 6, 2, 6}, {5, 6, 3, 6, 6}, {6, 6, 6, 6, 6}}};
constexpr std::size_t turned(std::size_t pair) { return pair ^ 1; }
constexpr bool is_strong(std::size_t pair) { return pair < 2; }

// Free energies in kcal/mol.
using OfPairs = std::array<double, 6>;
using OfBases = std::array<double, 4>;
/// [pair][next pair inside, read from its other strand].
constexpr std::array<OfPairs, 6> kStack = {{{-2.4, -3.3, -2.1, -1.4, -2.1, -2.1},
                                            {-3.3, -3.4, -2.5, -1.5, -2.2, -2.4},
                                            {-2.1, -2.5, 1.3, -0.5, -1.4, -1.3},
                                            {-1.4, -1.5, -0.5, 0.3, -0.6, -1.0},
                                            {-2.1, -2.2, -1.4, -0.6, -1.1, -0.9},
                                            {-2.1, -2.4, -1.3, -1.0, -0.9, -1.3}}};
/// A base before the 5' base of a pair, and one behind its 3' base.
constexpr std::array<OfBases, 6> kBefore = {{{-0.5, -0.3, -0.2, -0.1},
                                             {-0.2, -0.3, 0, 0},
                                             {-0.3, -0.3, -0.4, -0.2},
                                             {-0.3, -0.1, -0.2, -0.2},
                                             {-0.3, -0.3, -0.4, -0.2},
                                             {-0.3, -0.1, -0.2, -0.2}}};
constexpr std::array<OfBases, 6> kBehind = {{{-1.1, -0.4, -1.3, -0.6},
                                             {-1.7, -0.8, -1.7, -1.2},
                                             {-0.7, -0.1, -0.7, -0.1},
                                             {-0.8, -0.5, -0.8, -0.6},
                                             {-0.7, -0.1, -0.7, -0.1},
                                             {-0.8, -0.5, -0.8, -0.6}}};
// By the number of unpaired bases, from the fewest on; longer loops grow by the logarithm.
constexpr std::array kHairpin = {5.4, 5.6, 5.7, 5.4, 6.0, 5.5, 6.4};             // from 3
constexpr std::array kBulge = {3.8, 2.8, 3.2, 3.6, 4.0, 4.4, 4.59, 4.7, 4.8};    // from 1
constexpr std::array kInterior = {1.0, 1.0, 1.1, 2.0, 2.0, 2.1, 2.3, 2.4, 2.5};  // from 2
constexpr double kLogarithm = 1.07856;
constexpr double kTerminal = 0.5, kInteriorTerminal = 0.7;
constexpr double kAsymmetry = 0.6, kMostAsymmetry = 3;
constexpr double kHairpinMismatch = -0.8;  // UU, GA or GG
constexpr double kPurines = -0.9, kUracils = -0.7;
constexpr double kSingleMismatch = -0.1, kSingleGuanines = -1.4;
constexpr double kMultiloop = 9.3, kBranch = -0.9;

double factor(double energy) { return portable_exp(-energy / kThermal); }

template <std::size_t N>
double initiation(const std::array<double, N>& energies, std::size_t fewest, std::size_t bases) {
  const std::size_t last = fewest + N - 1;
  if (bases <= last) return energies[bases - fewest];
  return energies.back() +
         kLogarithm * portable_log(static_cast<double>(bases) / static_cast<double>(last));
}

std::uint8_t pair_of(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) {
  return kPairOf[bases[i]][bases[j]];
}

}  // namespace

std::vector<std::uint8_t> bases_of(std::string_view letters) {
  std::vector<std::uint8_t> bases;
  bases.reserve(letters.size());
  for (const char letter : letters) {
    switch (letter) {
      case 'A':
      case 'a':
        bases.push_back(kA);
        break;
      case 'C':
      case 'c':
        bases.push_back(1);
        break;
      case 'G':
      case 'g':
        bases.push_back(kG);
        break;
      case 'U':
      case 'u':
      case 'T':
      case 't':
        bases.push_back(kU);
        break;
      default:
        bases.push_back(kOther);
    }
  }
  return bases;
}

LoopWeights::LoopWeights()
    : terminal_(factor(kTerminal)),
      interior_terminal_(factor(kInteriorTerminal)),
      hairpin_mismatch_(factor(kHairpinMismatch)),
      purines_(factor(kPurines)),
      uracils_(factor(kUracils)),
      single_mismatch_(factor(kSingleMismatch)),
      single_guanines_(factor(kSingleGuanines)),
      branch_(factor(kBranch)),
      multiloop_(factor(kMultiloop)) {
  for (std::size_t p = 0; p < kPairs; ++p) {
    for (std::size_t q = 0; q < kPairs; ++q) stack_[p][q] = factor(kStack[p][q]);
    for (std::size_t b = 0; b < kBases; ++b) {
      before_[p][b] = factor(kBefore[p][b]);
      behind_[p][b] = factor(kBehind[p][b]);
    }
    before_[p][kOther] = behind_[p][kOther] = 1;
  }
  for (std::size_t n = 1; n <= kMostUnpaired; ++n) {
    bulge_[n] = factor(initiation(kBulge, 1, n));
    if (n >= 2) interior_[n] = factor(initiation(kInterior, 2, n));
  }
  for (std::size_t n = 0; n <= kMostUnpaired; ++n) {
    asymmetry_[n] = factor(std::min(kMostAsymmetry, kAsymmetry * static_cast<double>(n)));
  }
  constexpr std::size_t kLongestHairpin = 1000;
  for (std::size_t n = 0; n <= kLongestHairpin; ++n) {
    hairpin_.push_back(n < kFewestOfHairpin ? 0
                                            : factor(initiation(kHairpin, kFewestOfHairpin, n)));
  }
}

bool LoopWeights::can_pair(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) {
  return j > i + kFewestOfHairpin && pair_of(bases, i, j) != kNoPair;
}

double LoopWeights::dangles(std::size_t pair, std::size_t before, std::size_t behind) const {
  return before_[pair][before] * behind_[pair][behind];
}

double LoopWeights::terminal(std::size_t pair) const { return is_strong(pair) ? 1 : terminal_; }

double LoopWeights::hairpin(std::span<const std::uint8_t> bases, std::size_t i,
                            std::size_t j) const {
  const std::size_t pair = pair_of(bases, i, j), n = j - i - 1;
  const double loop = hairpin_[std::min(n, hairpin_.size() - 1)];
  if (n == kFewestOfHairpin) return loop * terminal(pair);
  const std::uint8_t first = bases[i + 1], last = bases[j - 1];
  const bool has_bonus = (first == kU && last == kU) || (first == kG && (last == kA || last == kG));
  return loop * dangles(turned(pair), last, first) * (has_bonus ? hairpin_mismatch_ : 1);
}

double LoopWeights::interior(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j,
                             std::size_t k, std::size_t l) const {
  const std::size_t pair = pair_of(bases, i, j), inside = pair_of(bases, k, l);
  const std::size_t left = k - i - 1, right = j - l - 1, n = left + right;
  if (n == 0) return stack_[pair][turned(inside)];
  if (n == 1) return bulge_[1] * stack_[pair][turned(inside)];
  if (left == 0 || right == 0) return bulge_[n] * terminal(pair) * terminal(inside);
  double weight = interior_[n] * asymmetry_[left > right ? left - right : right - left] *
                  (is_strong(pair) ? 1 : interior_terminal_) *
                  (is_strong(inside) ? 1 : interior_terminal_);
  if (n == 2) {
    const bool are_guanines = bases[i + 1] == kG && bases[j - 1] == kG;
    return weight * single_mismatch_ * (are_guanines ? single_guanines_ : 1);
  }
  if (left == 1 || right == 1) return weight;
  const auto bonus = [&](std::uint8_t a, std::uint8_t b) {
    if ((a == kA && b == kG) || (a == kG && b == kA)) return purines_;
    return a == kU && b == kU ? uracils_ : 1;
  };
  return weight * bonus(bases[i + 1], bases[j - 1]) * bonus(bases[l + 1], bases[k - 1]);
}

double LoopWeights::stem(std::span<const std::uint8_t> bases, std::size_t i, std::size_t j) const {
  const std::size_t pair = pair_of(bases, i, j);
  return terminal(pair) *
         dangles(pair, i > 0 ? bases[i - 1] : kOther, j + 1 < bases.size() ? bases[j + 1] : kOther);
}

double LoopWeights::branch(std::span<const std::uint8_t> bases, std::size_t i,
                           std::size_t j) const {
  return branch_ * stem(bases, i, j);
}

double LoopWeights::multiloop(std::span<const std::uint8_t> bases, std::size_t i,
                              std::size_t j) const {
  const std::size_t pair = pair_of(bases, i, j);
  return multiloop_ * branch_ * terminal(pair) * dangles(turned(pair), bases[j - 1], bases[i + 1]);
}

const LoopWeights& loop_weights() {
  static const LoopWeights weights;
  return weights;
}

}  // namespace accord
