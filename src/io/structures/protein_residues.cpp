// SPDX-License-Identifier: Apache-2.0
#include "io/structures/protein_residues.hpp"

#include <algorithm>
#include <cstddef>

#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// Whether a residue has the atoms of a backbone, or, in a file of CAs, nothing but a CA.
bool has_backbone(const FoundResidue& residue) {
  const bool has_n = residue.backbone[kN].has_value(), has_c = residue.backbone[kC].has_value();
  const bool has_ca_alone =
      !has_n && !has_c && !residue.backbone[kO] && !residue.has_other_atoms && !residue.has_calcium;
  return (has_n && has_c) || (has_ca_alone && residue.meaning.kind == CompoundKind::unknown);
}

bool may_be_of_protein(const FoundResidue& residue) {
  const CompoundKind kind = residue.meaning.kind;
  if (kind == CompoundKind::water || kind == CompoundKind::nucleotide || !residue.ca())
    return false;
  return is_amino_acid(kind) || has_backbone(residue);
}

/// Whether a residue that may not be of a protein looks like one: an amino acid with some atom of
/// the backbone, or an unknown residue of ATOM with a CA.
bool is_missed(const FoundResidue& residue) {
  if (is_amino_acid(residue.meaning.kind)) {
    return std::ranges::any_of(residue.backbone, [](const auto& atom) { return atom.has_value(); });
  }
  return residue.meaning.kind == CompoundKind::unknown && !residue.is_hetero && residue.ca() &&
         !residue.has_calcium;
}

/// The residues that may be of a protein, one for each place: of alternatives, the one whose CA has
/// the highest occupancy, else the first.
Residues candidates_of(const FoundChain& chain, LeftOut& left_out) {
  Residues candidates;
  for (const FoundResidue& residue : chain.residues) {
    if (!may_be_of_protein(residue)) {
      if (is_missed(residue)) left_out.without_ca.push_back(described(residue, chain.name));
      continue;
    }
    const FoundResidue* left = residue.is_doubled ? &residue : nullptr;
    const FoundResidue* const last = candidates.empty() ? nullptr : candidates.back();
    if (residue.is_alternative && last != nullptr && last->number == residue.number &&
        last->place == residue.place && last->stretch == residue.stretch) {
      if (residue.ca()->occupancy > last->ca()->occupancy) {
        if (left != nullptr) left = last;
        candidates.back() = &residue;
      }
    } else {
      candidates.push_back(&residue);
    }
    if (left != nullptr) left_out.doubles.push_back(described(*left, chain.name));
  }
  return candidates;
}

/// The residues of one stretch of a chain.
struct Stretch {
  Residues residues;
  bool is_later = false;    ///< whether it is not the first one of its chain
  bool is_polymer = false;  ///< whether TER ends it, and it is the first one or has amino acids
  bool has_places = false;  ///< whether the places of residues are those in a sequence
};

/// Whether the record of a residue does not show that it belongs to a polymer.
bool is_loose(const FoundResidue& residue, const Stretch& stretch) {
  if (stretch.has_places && !residue.place.empty()) return false;
  if (is_amino_acid(residue.meaning.kind)) return residue.is_hetero && !stretch.is_polymer;
  return !residue.is_in_sequence || (stretch.is_later && !stretch.is_polymer);
}

/// Appends the residues of a stretch to `kept`, without ligands. In the first stretch of a PDB file
/// ligands stand at the end; a modified amino acid is none.
void keep_of_first(const Stretch& stretch, const std::string& chain, Residues& kept,
                   LeftOut& left_out) {
  std::size_t size = stretch.residues.size();
  const auto is_ligand = [&](std::size_t k) {
    const FoundResidue& residue = *stretch.residues[k];
    return is_loose(residue, stretch) && residue.meaning.kind != CompoundKind::modified &&
           (k == 0 || !are_bonded(*stretch.residues[k - 1], residue));
  };
  for (; size > 0 && is_ligand(size - 1); --size) {
    left_out.ligands.push_back(described(*stretch.residues[size - 1], chain));
  }
  kept.insert(kept.end(), stretch.residues.begin(),
              stretch.residues.begin() + static_cast<std::ptrdiff_t>(size));
}

/// The same where the format has ligands: behind TER, or beside residues with places.
void keep_of_later(const Stretch& stretch, const std::string& chain, Residues& kept,
                   LeftOut& left_out) {
  const Residues& residues = stretch.residues;
  std::size_t end = residues.size();  // behind the last one of a polymer
  while (end > 0 && is_loose(*residues[end - 1], stretch)) --end;
  for (std::size_t k = 0; k < residues.size(); ++k) {
    const FoundResidue& residue = *residues[k];
    // A loose residue in front of the end has another one behind it.
    if (!is_loose(residue, stretch) || (!kept.empty() && are_bonded(*kept.back(), residue)) ||
        (k < end &&
         (is_amino_acid(residue.meaning.kind) || are_bonded(residue, *residues[k + 1])))) {
      kept.push_back(&residue);
    } else {
      const bool is_expected =
          k >= end && residue.is_hetero && residue.meaning.kind != CompoundKind::modified;
      if (is_expected) {
        ++left_out.expected;
      } else {
        left_out.ligands.push_back(described(residue, chain));
      }
    }
  }
}

}  // namespace

bool are_bonded(const FoundResidue& before, const FoundResidue& residue) {
  constexpr double kLongestBond = 1.341 * 1.5, kLongestStep = 5;  // Å, from C to N, and of CAs
  const auto &c = before.backbone[kC], &n = residue.backbone[kN];
  if (c && n) return distance(c->at, n->at) < kLongestBond;
  return before.ca() && residue.ca() && distance(before.ca()->at, residue.ca()->at) < kLongestStep;
}

std::string described(const FoundResidue& residue, const std::string& chain) {
  std::string text = residue.name;
  if (!residue.number.empty()) text += ' ' + residue.number;
  if (!chain.empty()) text += " of chain " + chain;
  return quote(text);
}

Residues protein_residues(const FoundChain& chain, bool has_places, LeftOut& left_out) {
  const Residues candidates = candidates_of(chain, left_out);
  Residues kept;
  for (std::size_t k = 0; k < candidates.size();) {
    const std::size_t number = candidates[k]->stretch;
    Stretch stretch;
    stretch.has_places = has_places;
    stretch.is_later = number > 0;
    bool has_amino_acids = number == 0;
    for (; k < candidates.size() && candidates[k]->stretch == number; ++k) {
      const FoundResidue& residue = *candidates[k];
      stretch.residues.push_back(&residue);
      has_amino_acids |= !residue.is_hetero && is_amino_acid(residue.meaning.kind);
    }
    stretch.is_polymer = chain.is_ended[number] && has_amino_acids;
    const auto keep = has_places || stretch.is_later ? keep_of_later : keep_of_first;
    keep(stretch, chain.name, kept, left_out);
  }
  return kept;
}

}  // namespace accord
