// SPDX-License-Identifier: Apache-2.0
#include "io/structures/hydrogen_bonds.hpp"

#include <algorithm>
#include <numeric>

namespace accord {
namespace {

constexpr double kLongestPeptideBond = 2.5;  // Å, from C to N
constexpr double kNear = 9, kSamePlace = 1;  // Å, between CAs
constexpr double kWeakestBond = -0.5;        // kcal/mol
constexpr std::size_t kBondsOfDonor = 2;

/// The hydrogen of an N, from the backbone of the residue before; none if C and O coincide.
std::optional<Point> hydrogen_of(const Point& n, const BackboneAtoms& before) {
  const double length = distance(before.c, before.o);
  if (!(length > 0)) return std::nullopt;
  return Point{n.x + (before.c.x - before.o.x) / length, n.y + (before.c.y - before.o.y) / length,
               n.z + (before.c.z - before.o.z) / length};
}

double bond_energy(const Site& donor, const Site& acceptor) {
  constexpr double kFactor = 332 * 0.42 * 0.20;
  static constexpr double kShortest = 0.5;  // Å; no atoms are nearer
  if (!donor.hydrogen) return 0;
  const auto inverse = [](const Point& a, const Point& b) {
    return 1 / std::max(distance(a, b), kShortest);
  };
  const Point &n = donor.atoms.n, &h = *donor.hydrogen, &c = acceptor.atoms.c,
              &o = acceptor.atoms.o;
  return kFactor * (inverse(o, n) + inverse(c, h) - inverse(o, h) - inverse(c, n));
}

/// The pairs of residues with near CAs; CAs in one place, such as (0, 0, 0), are no neighbours.
/// Residues are compared in the order of their x, with those
/// whose x is near.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of_near(const std::vector<Site>& sites) {
  std::vector<std::size_t> by_x(sites.size());
  std::iota(by_x.begin(), by_x.end(), 0);
  const auto x_of = [&](std::size_t k) { return sites[k].atoms.ca.x; };
  std::ranges::sort(by_x, {}, x_of);
  std::vector<std::pair<std::size_t, std::size_t>> near;
  for (std::size_t p = 0; p < by_x.size(); ++p) {
    for (std::size_t q = p + 1; q < by_x.size(); ++q) {
      const std::size_t i = by_x[p], j = by_x[q];
      if (!(x_of(j) - x_of(i) < kNear)) break;
      const double apart = distance(sites[i].atoms.ca, sites[j].atoms.ca);
      if (apart > kSamePlace && apart < kNear) near.push_back(std::minmax(i, j));
    }
  }
  std::ranges::sort(near);
  return near;
}

}  // namespace

std::vector<Site> backbone_sites(const std::vector<ProteinChain>& chains) {
  std::vector<Site> sites;
  std::size_t run = 0;
  for (const ProteinChain& chain : chains) {
    const BackboneAtoms* before = nullptr;
    for (const ChainResidue& residue : chain.residues) {
      if (!residue.backbone) continue;  // its neighbours are too far from each other for a bond
      const bool is_bound =
          before != nullptr && distance(before->c, residue.backbone->n) <= kLongestPeptideBond;
      if (!is_bound) ++run;
      Site site{*residue.backbone, {}, run};
      if (is_bound && residue.letter != 'P') site.hydrogen = hydrogen_of(site.atoms.n, *before);
      sites.push_back(site);
      before = &*residue.backbone;
    }
  }
  return sites;
}

HydrogenBonds::HydrogenBonds(const std::vector<Site>& sites)
    : near_(pairs_of_near(sites)), bonds_(sites.size()) {
  for (const auto& [i, j] : near_) {
    add(i, {j, bond_energy(sites[i], sites[j])});
    if (j != i + 1) add(j, {i, bond_energy(sites[j], sites[i])});
  }
}

void HydrogenBonds::add(std::size_t donor, Bond bond) {
  if (!(bond.energy < kWeakestBond)) return;
  std::vector<Bond>& bonds = bonds_[donor];
  bonds.insert(std::ranges::upper_bound(bonds, bond.energy, {}, &Bond::energy), bond);
  if (bonds.size() > kBondsOfDonor) bonds.pop_back();
}

bool HydrogenBonds::has(std::size_t donor, std::size_t acceptor) const {
  return std::ranges::find(bonds_[donor], acceptor, &Bond::acceptor) != bonds_[donor].end();
}

}  // namespace accord
