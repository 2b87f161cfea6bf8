// SPDX-License-Identifier: Apache-2.0
#include "io/structures/predicted_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/structures/residue_list.hpp"

namespace accord {
namespace {

/// Whether a text has one of some words, in letters of any case.
template <std::size_t kCount>
bool has_one_of(std::string_view text, const std::array<std::string_view, kCount>& words) {
  const std::string lower = lower_case(text);
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

/// The residues of amino acids of a chain that have a CA.
std::vector<const FoundResidue*> residues_with_ca(const FoundChain& chain) {
  std::vector<const FoundResidue*> residues;
  for (const FoundResidue& residue : chain.residues) {
    if (is_amino_acid(residue.meaning.kind) && residue.ca()) residues.push_back(&residue);
  }
  return residues;
}

/// The B factors of the CAs of a structure.
struct CaFactors {
  std::set<double> different;
  bool are_known = true;   ///< whether each residue has one
  bool are_shared = true;  ///< whether all atoms of each residue have that of the CA
};

CaFactors factors_of(const std::vector<FoundChain>& found) {
  constexpr std::size_t kFewestAtoms = 4;
  CaFactors factors;
  for (const FoundChain& chain : found) {
    for (const FoundResidue* const residue : residues_with_ca(chain)) {
      if (!residue->b_factor_of_ca) {
        factors.are_known = false;
        continue;
      }
      factors.different.insert(*residue->b_factor_of_ca);
      factors.are_shared &=
          residue->b_factors >= kFewestAtoms && residue->least_b_factor == residue->most_b_factor;
    }
  }
  return factors;
}

/// For each residue, how many CAs of its chain are near.
std::vector<double> contacts_of(const std::vector<const FoundResidue*>& residues) {
  constexpr double kNear = 10;  // Å
  std::vector<double> contacts(residues.size(), 0.0);
  for (std::size_t i = 0; i < residues.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (square_distance(residues[i]->ca()->at, residues[j]->ca()->at) > kNear * kNear) continue;
      ++contacts[i];
      ++contacts[j];
    }
  }
  return contacts;
}

/// Whether the correlation of B factors and contacts is positive.
bool rise_with_contacts(const std::vector<FoundChain>& found) {
  double n = 0, of_b = 0, of_contacts = 0, of_product = 0;
  for (const FoundChain& chain : found) {
    const std::vector<const FoundResidue*> residues = residues_with_ca(chain);
    const std::vector<double> contacts = contacts_of(residues);
    for (std::size_t i = 0; i < residues.size(); ++i) {
      ++n;
      of_b += *residues[i]->b_factor_of_ca;
      of_contacts += contacts[i];
      of_product += *residues[i]->b_factor_of_ca * contacts[i];
    }
  }
  return n * of_product > of_b * of_contacts;
}

}  // namespace

void StructureOrigin::take_method(std::string_view method) {
  constexpr std::array<std::string_view, 3> kOfModels = {"theoretical", "computational", "predict"};
  if (!method.empty()) is_experiment |= !has_one_of(method, kOfModels);
}

void StructureOrigin::take_cell(double edge) { is_experiment |= edge > 2; }

void StructureOrigin::take_text(std::string_view text) {
  constexpr std::array<std::string_view, 8> kWords = {
      "alphafold", "colabfold", "esmfold", "plddt", "openfold", "omegafold", "boltz", "chai-1"};
  is_predicted |= has_one_of(text, kWords);
}

std::optional<double> plddt_factor(const std::vector<FoundChain>& found,
                                   const StructureOrigin& origin, const std::string& label) {
  constexpr double kHighest = 100;
  constexpr std::size_t kFewestDifferent = 10;
  if (origin.is_experiment) return std::nullopt;
  const CaFactors factors = factors_of(found);
  const std::set<double>& different = factors.different;
  if (different.empty()) return std::nullopt;
  const double least = *different.begin(), most = *different.rbegin();
  const bool is_in_range = factors.are_known && least >= 0 && most > 0 && most <= kHighest;
  const double factor = most <= 1 ? kHighest : 1;
  if (origin.is_predicted) {
    if (is_in_range) return factor;
    log_warning(label + ": says that it is predicted, but its B factors are no pLDDT",
                "all coordinates count; a pLDDT is from 0 to 100, or from 0 to 1");
    return std::nullopt;
  }
  const bool is_likely = is_in_range && least > 0 && factors.are_shared &&
                         different.size() >= kFewestDifferent && rise_with_contacts(found);
  return is_likely ? std::optional(factor) : std::nullopt;
}

}  // namespace accord
