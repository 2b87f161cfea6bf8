// SPDX-License-Identifier: Apache-2.0
#include "io/structures/secondary_structure.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

#include "io/structures/hydrogen_bonds.hpp"

namespace accord {
namespace {

constexpr char kUnknown = '?', kOther = 'C', kStrand = 'E', kHelix = 'H';
// Within this file: helices of 3-turns and of 5-turns.
constexpr char kHelix3 = 'G', kHelix5 = 'I';

enum class Bridge { none, parallel, antiparallel };

/// Consecutive bridges between two strands, each from a first to a last residue.
struct Ladder {
  bool is_parallel;
  std::size_t first_i, last_i, first_j, last_j;

  void take(std::size_t i, std::size_t j) {
    last_i = i;
    first_j = std::min(first_j, j);
    last_j = std::max(last_j, j);
  }
};

/// Assigns the letters of the residues of a structure that have a backbone.
class Assignment {
 public:
  explicit Assignment(const std::vector<Site>& sites)
      : sites_(sites), bonds_(sites), letters_(sites.size(), kOther) {
    std::vector<Ladder> ladders = ladders_of_bridges();
    join_at_bulges(ladders);
    for (const Ladder& ladder : ladders) {
      fill(ladder.first_i, ladder.last_i, kStrand);
      fill(ladder.first_j, ladder.last_j, kStrand);
    }
    add_helices(4, kHelix, "CEH");
    add_helices(3, kHelix3, "CG");
    add_helices(5, kHelix5, "CHI");
  }

  const std::string& letters() const { return letters_; }

 private:
  /// Whether residues from i to j exist and stand in one run.
  bool is_one_run(std::size_t i, std::size_t j) const {
    return j < sites_.size() && sites_[i].run == sites_[j].run;
  }

  void fill(std::size_t first, std::size_t last, char letter) {
    std::fill(letters_.begin() + static_cast<std::ptrdiff_t>(first),
              letters_.begin() + static_cast<std::ptrdiff_t>(last) + 1, letter);
  }

  Bridge bridge_of(std::size_t i, std::size_t j) const {
    if (i == 0 || !is_one_run(i - 1, i + 1) || !is_one_run(j - 1, j + 1)) return Bridge::none;
    const auto bond = [&](std::size_t donor, std::size_t acceptor) {
      return bonds_.has(donor, acceptor);
    };
    if ((bond(i + 1, j) && bond(j, i - 1)) || (bond(j + 1, i) && bond(i, j - 1))) {
      return Bridge::parallel;
    }
    if ((bond(i, j) && bond(j, i)) || (bond(i + 1, j - 1) && bond(j + 1, i - 1))) {
      return Bridge::antiparallel;
    }
    return Bridge::none;
  }

  /// The ladders, sorted by their first residue i.
  std::vector<Ladder> ladders_of_bridges() const {
    constexpr std::size_t kLeastDistance = 3;
    std::vector<Ladder> ladders;
    // The ladders by the bridge that would be their next one.
    std::map<std::tuple<bool, std::size_t, std::size_t>, std::size_t> waiting;
    for (const auto& [i, j] : bonds_.near_pairs()) {
      if (j < i + kLeastDistance) continue;
      const Bridge bridge = bridge_of(i, j);
      if (bridge == Bridge::none) continue;
      const bool is_parallel = bridge == Bridge::parallel;
      const auto [at, is_new] = waiting.try_emplace({is_parallel, i, j}, ladders.size());
      const std::size_t ladder = at->second;
      if (is_new) ladders.push_back({is_parallel, i, i, j, j});
      ladders[ladder].take(i, j);
      waiting.try_emplace({is_parallel, i + 1, is_parallel ? j + 1 : j - 1}, ladder);
    }
    return ladders;
  }

  /// Whether ladder q continues ladder p behind a bulge.
  bool is_behind_bulge(const Ladder& p, const Ladder& q) const {
    constexpr std::size_t kLong = 5, kShort = 2;  // differences of the residues beside a bulge
    if (p.is_parallel != q.is_parallel || q.first_i <= p.last_i) return false;
    const std::size_t before = p.is_parallel ? p.last_j : q.last_j;
    const std::size_t behind = p.is_parallel ? q.first_j : p.first_j;
    if (behind < before) return false;
    if (!is_one_run(p.first_i, std::max(p.last_i, q.last_i)) ||
        !is_one_run(std::min(p.first_j, q.first_j), std::max(p.last_j, q.last_j))) {
      return false;
    }
    const std::size_t of_i = q.first_i - p.last_i, of_j = behind - before;
    return (of_i <= kLong && of_j <= kShort) || (of_i <= kShort && of_j <= kLong);
  }

  void join_at_bulges(std::vector<Ladder>& ladders) const {
    constexpr std::size_t kFarthest = 5;
    for (std::size_t p = 0; p < ladders.size(); ++p) {
      for (std::size_t q = p + 1; q < ladders.size();) {
        if (ladders[q].first_i > ladders[p].last_i + kFarthest) break;
        if (!is_behind_bulge(ladders[p], ladders[q])) {
          ++q;
          continue;
        }
        ladders[p].last_i = std::max(ladders[p].last_i, ladders[q].last_i);
        ladders[p].first_j = std::min(ladders[p].first_j, ladders[q].first_j);
        ladders[p].last_j = std::max(ladders[p].last_j, ladders[q].last_j);
        ladders.erase(ladders.begin() + static_cast<std::ptrdiff_t>(q));
      }
    }
  }

  bool is_turn(std::size_t i, std::size_t n) const {
    return is_one_run(i, i + n) && bonds_.has(i + n, i);
  }

  /// Adds the helices of n-turns whose residues have none but the letters `replaced`.
  void add_helices(std::size_t n, char letter, std::string_view replaced) {
    for (std::size_t i = 1; i + n < sites_.size(); ++i) {
      if (!is_turn(i - 1, n) || !is_turn(i, n)) continue;
      const std::string_view old = std::string_view(letters_).substr(i, n);
      if (old.find_first_not_of(replaced) == old.npos) fill(i, i + n - 1, letter);
    }
  }

  const std::vector<Site>& sites_;
  const HydrogenBonds bonds_;
  std::string letters_;
};

}  // namespace

std::vector<std::string> secondary_structure(const std::vector<ProteinChain>& chains) {
  const std::vector<Site> sites = backbone_sites(chains);
  const Assignment assignment(sites);
  std::size_t next = 0;
  std::vector<std::string> all;
  for (const ProteinChain& chain : chains) {
    std::string& letters = all.emplace_back();
    for (const ChainResidue& residue : chain.residues) {
      const char letter = residue.backbone ? assignment.letters()[next++] : kUnknown;
      letters += letter == kHelix3 || letter == kHelix5 ? kHelix : letter;
    }
  }
  return all;
}

}  // namespace accord
