// SPDX-License-Identifier: Apache-2.0
#include "io/structures/residue_list.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "accord/base/error.hpp"

namespace accord {
namespace {

constexpr double kSameAtom = 2.5;  // Å; atoms of one name in two residues are farther apart
constexpr char kNoLocation = ' ';

/// The index of an atom of the backbone; kBackboneAtoms for others. Some programs write names in
/// lower case; "Ca" is calcium.
std::size_t backbone_index(std::string_view name) {
  constexpr std::array<std::array<std::string_view, 2>, kBackboneAtoms> kNames = {
      {{"N", "n"}, {"CA", "ca"}, {"C", "c"}, {"O", "o"}}};
  const auto found = std::ranges::find_if(
      kNames, [&](const auto& names) { return name == names[0] || name == names[1]; });
  return static_cast<std::size_t>(found - kNames.begin());
}

/// The atom of a residue that has the name of `atom`, if this is N, CA or C and the residue has it.
const FoundAtom* same_atom(const FoundResidue& residue, const StructureAtom& atom) {
  const std::size_t index = backbone_index(atom.name);
  if (index >= kO || !residue.backbone[index]) return nullptr;
  return &*residue.backbone[index];
}

bool is_near(const FoundAtom& found, const StructureAtom& atom) {
  return distance(found.at, atom.at) < kSameAtom;
}

/// Whether an atom belongs to a residue with its number, place and name. `is_beside`: whether no
/// residue and no end of a stretch stands between them.
bool belongs_to(FoundResidue& residue, const StructureAtom& atom, bool is_beside,
                std::size_t stretch) {
  const bool is_ion = atom.is_calcium && !residue.has_calcium;  // in the residue of its number
  if (backbone_index(atom.name) >= kO || is_ion) return true;
  const FoundAtom* const found = same_atom(residue, atom);
  if (found == nullptr) return residue.stretch == stretch;
  if (found->locations.find(atom.location) == found->locations.npos) {
    return is_beside || is_near(*found, atom);
  }
  const bool is_double = is_beside && is_near(*found, atom);
  residue.is_doubled |= is_double;
  return is_double;
}

void take_b_factor(FoundResidue& residue, const StructureAtom& atom, bool is_ca) {
  if (!atom.b_factor || !std::isfinite(*atom.b_factor)) return;
  const double value = *atom.b_factor;
  const bool is_first = residue.b_factors++ == 0;
  residue.least_b_factor = is_first ? value : std::min(residue.least_b_factor, value);
  residue.most_b_factor = is_first ? value : std::max(residue.most_b_factor, value);
  if (is_ca && !residue.b_factor_of_ca) residue.b_factor_of_ca = value;
}

/// Keeps an atom in place of one of the same name with a lower occupancy.
void keep_atom(FoundResidue& residue, const StructureAtom& atom) {
  const auto same = std::ranges::find(residue.atoms, atom.name, &ChainAtom::name);
  if (same != residue.atoms.end() && atom.occupancy <= same->occupancy) return;
  ChainAtom& kept = same != residue.atoms.end() ? *same : residue.atoms.emplace_back();
  kept = {std::string(atom.name), std::string(atom.element), atom.at,
          atom.occupancy,         atom.b_factor.value_or(0), 0};
}

/// Whether an atom is the first one of an alternative to the residue beside it, of another name.
bool is_alternative(const FoundResidue& residue, const StructureAtom& atom) {
  if (atom.location != kNoLocation) return true;
  const FoundAtom* const found = same_atom(residue, atom);
  return found != nullptr && (found->locations[0] != kNoLocation || is_near(*found, atom));
}

}  // namespace

void ResidueList::add(const StructureAtom& atom) {
  FoundChain& chain = chain_of(atom);
  take_atom(residue_of(chain, atom), atom, chain.name);
  ++atoms_;
}

void ResidueList::end_chain() {
  if (chains_.empty()) return;
  std::vector<bool>& ended = chains_[current_].is_ended;
  ended.back() = true;
  ended.push_back(false);
}

FoundChain& ResidueList::chain_of(const StructureAtom& atom) {
  const auto [at, is_new] = by_name_.try_emplace(std::string(atom.chain), chains_.size());
  if (is_new) chains_.push_back({std::string(atom.chain), {}});
  current_ = at->second;
  FoundChain& chain = chains_[current_];
  if (chain.part != atom.part) {
    if (!chain.residues.empty()) chain.is_ended.push_back(false);
    chain.part = atom.part;
  }
  return chain;
}

FoundResidue& ResidueList::residue_of(FoundChain& chain, const StructureAtom& atom) {
  const std::size_t stretch = chain.is_ended.size() - 1;
  std::string key;
  for (const std::string_view part : {atom.number, atom.place, atom.residue}) {
    key.append(part) += '/';
  }
  FoundResidue* const last = chain.residues.empty() ? nullptr : &chain.residues.back();
  const bool is_beside = last != nullptr && last->number == atom.number &&
                         last->place == atom.place && last->stretch == stretch;
  const auto [at, is_new] = chain.latest.try_emplace(std::move(key), chain.residues.size());
  if (!is_new && belongs_to(chain.residues[at->second], atom, is_beside, stretch)) {
    return chain.residues[at->second];
  }
  at->second = chain.residues.size();
  FoundResidue added;
  added.is_alternative = is_beside && last->name != atom.residue && is_alternative(*last, atom);
  added.is_doubled = added.is_alternative && atom.location == kNoLocation &&
                     same_atom(*last, atom)->locations[0] == kNoLocation;
  added.name = atom.residue;
  added.number = atom.number;
  added.place = atom.place;
  added.segment = atom.segment;
  added.meaning = residue_name(atom.residue);
  added.first_atom = atoms_;
  added.stretch = stretch;
  added.is_hetero = atom.is_hetero;
  added.is_in_sequence = atom.is_in_sequence;
  return chain.residues.emplace_back(std::move(added));
}

void ResidueList::take_atom(FoundResidue& residue, const StructureAtom& atom,
                            const std::string& chain) {
  residue.has_calcium |= atom.is_calcium;
  const std::size_t index = backbone_index(atom.name);
  take_b_factor(residue, atom, index == kCa);
  if (keeps_atoms_) keep_atom(residue, atom);
  if (index == kBackboneAtoms) {
    residue.has_other_atoms = true;
    return;
  }
  if (!std::isfinite(atom.at.x) || !std::isfinite(atom.at.y) || !std::isfinite(atom.at.z)) {
    throw Error(ErrorKind::bad_input,
                label_ + ": chain " + chain + ", residue " + residue.number +
                    ": an atom has a coordinate that is no number",
                "the file may be cut off; get it anew");
  }
  std::optional<FoundAtom>& found = residue.backbone[index];
  if (!found) {
    found = FoundAtom{{}, atom.occupancy, atom.at};
  } else if (atom.occupancy > found->occupancy) {
    found->occupancy = atom.occupancy;
    found->at = atom.at;
  }
  if (found->locations.find(atom.location) == found->locations.npos) {
    found->locations += atom.location;
  }
}

}  // namespace accord
