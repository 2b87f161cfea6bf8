// SPDX-License-Identifier: Apache-2.0
#include "tools/frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "models/emissions.hpp"

namespace accord {
namespace {

// Costs in the units of VTML200, a third of a bit.
constexpr int kOpen = 16, kExtend = 2, kStop = 20, kSameStop = 12;
constexpr int kNever = -(1 << 29);

/// Scores of the amino acid of a codon with a residue.
class ResidueScores {
 public:
  ResidueScores() {
    const ResiduePairs weights =
        partition_weights({.vtml200_share = 1, .gap_open = 0, .gap_extend = 0, .temperature = 1},
                          ResidueKind::protein);
    for (std::size_t a = 0; a < kMaxResidues; ++a) {
      for (std::size_t b = 0; b < kMaxResidues; ++b) {
        scores_[a][b] = static_cast<int>(std::lround(std::log(weights[a][b])));
      }
    }
  }
  int of(char codon, char residue) const {
    if (codon == '*' && residue == '*') return kSameStop;
    if (codon == '*' || residue == '*') return codon == 'X' || residue == 'X' ? 0 : -kStop;
    const std::uint8_t a = encode_letter(ResidueType::protein, codon);
    const std::uint8_t b = encode_letter(ResidueType::protein, residue);
    return a < kMaxResidues && b < kMaxResidues ? scores_[a][b] : 0;
  }

 private:
  std::array<std::array<int, kMaxResidues>, kMaxResidues> scores_{};
};

/// The last step of an alignment: codon and residue, a codon alone, or a residue alone.
enum State : std::uint8_t { both, codon_alone, residue_alone, nothing };
constexpr std::size_t kStates = 3;

/// How a cell was reached: the bases of the last codon, and the state before it.
using Move = std::uint8_t;
constexpr Move move_of(std::size_t bases, std::size_t before) {
  return static_cast<Move>(4 * bases + before);
}

/// The dynamic programming over `bases` + 1 rows and `residues` + 1 columns, with three states
/// each.
class FrameTable {
 public:
  FrameTable(const std::string& bases, const std::string& protein, const GeneticCode& code,
             int shift_cost)
      : bases_(bases),
        protein_(protein),
        code_(code),
        shift_cost_(shift_cost),
        width_(protein.size() + 1),
        moves_(kStates * width_ * (bases.size() + 1), move_of(0, nothing)),
        scores_(4 * kStates * width_, kNever) {
    for (std::size_t i = 0; i <= bases_.size(); ++i) fill_row(i);
  }

  FrameAlignment trace() const {
    FrameAlignment found;
    found.score = best_score_;
    std::size_t i = best_row_, j = best_column_, state = best_state_;
    while (state != nothing) {
      const Move move = moves_[at(i, j, state)];
      const std::size_t taken = move / 4;
      i -= taken;
      const bool has_residue = state != codon_alone;
      j -= has_residue ? 1 : 0;
      found.steps.push_back({i, static_cast<std::uint8_t>(taken), has_residue});
      state = move % 4;
    }
    std::reverse(found.steps.begin(), found.steps.end());
    found.first_residue = j;
    return found;
  }

 private:
  std::size_t at(std::size_t i, std::size_t j, std::size_t state) const {
    return (i * width_ + j) * kStates + state;
  }
  int& score(std::size_t i, std::size_t j, std::size_t state) {
    return scores_[at(i % 4, j, state)];
  }

  /// The best state from which to leave a cell, and its score less the cost of the next step:
  /// `extend` after state `gap`, else `open`. An alignment may begin at the first residue, or
  /// within the first three bases, behind an incomplete codon.
  std::pair<int, std::size_t> best_before(std::size_t i, std::size_t j, std::size_t gap, int open,
                                          int extend) {
    std::pair<int, std::size_t> best = {i < 3 || j == 0 ? 0 : kNever, nothing};
    for (std::size_t state = 0; state < kStates; ++state) {
      const int value = score(i, j, state) - (state == gap ? extend : open);
      if (value > best.first) best = {value, state};
    }
    return best;
  }

  void reach(std::size_t i, std::size_t j, std::size_t state, int value, Move move) {
    if (value <= score(i, j, state)) return;
    score(i, j, state) = value;
    moves_[at(i, j, state)] = move;
  }

  void fill_row(std::size_t i) {
    for (std::size_t j = 0; j < width_; ++j) {
      for (std::size_t state = 0; state < kStates; ++state) score(i, j, state) = kNever;
    }
    const char amino_acid =
        i < 3 ? 'X' : code_.amino_acid(bases_[i - 3], bases_[i - 2], bases_[i - 1]);
    for (std::size_t j = 0; j < width_; ++j) {
      for (const std::size_t taken : {std::size_t{3}, std::size_t{2}, std::size_t{1}}) {
        if (i < taken) continue;
        const int shift = taken == 3 ? 0 : shift_cost_;
        if (j > 0) {
          const auto [value, before] = best_before(i - taken, j - 1, nothing, 0, 0);
          const int gain = taken == 3 ? scores().of(amino_acid, protein_[j - 1]) : -shift;
          reach(i, j, both, value + gain, move_of(taken, before));
          continue_alone(i, j, taken, shift);
        }
      }
      if (j > 0) {
        const auto [value, before] = best_before(i, j - 1, residue_alone, kOpen, kExtend);
        if (before != nothing) reach(i, j, residue_alone, value, move_of(0, before));
      }
      if (i + 2 >= bases_.size() || j + 1 == width_) keep_end(i, j);
    }
  }

  /// Reaches the cell by a codon without a residue, inside the protein.
  void continue_alone(std::size_t i, std::size_t j, std::size_t taken, int shift) {
    const auto [value, before] = best_before(i - taken, j, codon_alone, kOpen, kExtend);
    if (before != nothing) reach(i, j, codon_alone, value - shift, move_of(taken, before));
  }

  void keep_end(std::size_t i, std::size_t j) {
    if (score(i, j, both) <= best_score_) return;
    best_score_ = score(i, j, both);
    best_row_ = i;
    best_column_ = j;
    best_state_ = both;
  }

  static const ResidueScores& scores() {
    static const ResidueScores table;
    return table;
  }

  const std::string& bases_;
  const std::string& protein_;
  const GeneticCode& code_;
  int shift_cost_;
  std::size_t width_;
  std::vector<Move> moves_;
  std::vector<int> scores_;  ///< of the last four rows
  int best_score_ = 0;
  std::size_t best_row_ = 0, best_column_ = 0, best_state_ = nothing;
};

}  // namespace

FrameAlignment align_frames(const std::string& bases, const std::string& protein,
                            const GeneticCode& code, int shift_cost) {
  constexpr double kMost = 4.0 * (1ULL << 30);
  if (kStates * static_cast<double>(bases.size() + 1) * static_cast<double>(protein.size() + 1) >
      kMost) {
    throw Error(ErrorKind::bad_input,
                counted(bases.size(), "base") + " cannot be aligned with " +
                    counted(protein.size(), "residue") + " across frameshifts",
                "more than 4 GiB would be needed; cut the bases to those of the protein");
  }
  return FrameTable(bases, protein, code, shift_cost).trace();
}

}  // namespace accord
