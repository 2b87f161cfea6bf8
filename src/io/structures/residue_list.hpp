// SPDX-License-Identifier: Apache-2.0
// Included by sources that are C++17.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/chain_atoms.hpp"
#include "io/structures/protein_chain.hpp"
#include "io/structures/residue_names.hpp"
#include "io/structures/structure_atom.hpp"

namespace accord {

/// Indices of the atoms of a backbone in FoundResidue::backbone.
enum BackboneIndex : std::size_t { kN, kCa, kC, kO, kBackboneAtoms };

/// An atom of a backbone in one or more alternative locations.
struct FoundAtom {
  std::string locations;  ///< letters of its locations, in the order of the file
  double occupancy = 0;   ///< the highest of all locations
  Point at;               ///< the location with the highest occupancy, else the first one
};

/// A residue of a structure file, of any kind.
struct FoundResidue {
  std::string name, number, place, segment;  ///< as those of StructureAtom
  ResidueName meaning;
  std::size_t first_atom = 0;  ///< index of its first atom in the file
  std::size_t stretch = 0;     ///< number of its stretch in the chain, from 0: see FoundChain
  bool is_hetero = false;
  bool is_in_sequence = false;
  bool is_alternative = false;  ///< whether it stands in the place of the residue before it
  /// Whether it has a second atom, or is a second residue, in a place without letters of
  /// alternative locations.
  bool is_doubled = false;
  bool has_calcium = false;
  bool has_other_atoms = false;                  ///< besides N, CA, C and O
  std::size_t b_factors = 0;                     ///< atoms that have a B factor
  double least_b_factor = 0, most_b_factor = 0;  ///< of these atoms
  std::optional<double> b_factor_of_ca = {};     ///< of the first CA
  std::vector<ChainAtom> atoms = {};  ///< if the list keeps them: those with the highest occupancy
  std::array<std::optional<FoundAtom>, kBackboneAtoms> backbone;

  const std::optional<FoundAtom>& ca() const { return backbone[kCa]; }
};

/// The residues of all chains of one name, in the order of the file. A chain has stretches: a TER
/// record ends one, and so does an atom of another part.
struct FoundChain {
  std::string name;
  std::vector<FoundResidue> residues;
  std::vector<bool> is_ended = {false};  ///< [stretch]: whether a TER record ends it
  std::string part = {};                 ///< that of the last atom
  /// For each number, place and name, the index of its last residue.
  std::unordered_map<std::string, std::size_t> latest = {};
};

/// Collects the residues of a structure from its atoms.
///
/// Atoms with the same name of the chain, number and place are one residue, also if others stand
/// between them. But a second N, CA or C of the same residue begins another one, so that chains
/// whose numbers begin again and residues without numbers stay apart. It is not a second one if it
/// has another letter of an alternative location, or is less than 2.5 Å away; no atoms of two
/// residues are so near. A residue of another name beside it, in the same place, is an alternative
/// if it has such a letter, or is as near.
class ResidueList {
 public:
  /// `label` names the file in messages. `keeps_atoms`: residues have all of their atoms.
  explicit ResidueList(std::string label, bool keeps_atoms = false)
      : label_(std::move(label)), keeps_atoms_(keeps_atoms) {}

  /// Adds the next atom of the file.
  /// Throws  Error{bad_input} if a coordinate of an atom of the backbone is no number.
  void add(const StructureAtom& atom);
  /// Ends the stretch of the chain of the last atom, as TER does.
  void end_chain();

  /// Moves out the chains, in the order of their first atoms.
  std::vector<FoundChain> take() { return std::move(chains_); }

 private:
  FoundChain& chain_of(const StructureAtom& atom);
  FoundResidue& residue_of(FoundChain& chain, const StructureAtom& atom);
  void take_atom(FoundResidue& residue, const StructureAtom& atom, const std::string& chain);

  std::string label_;
  bool keeps_atoms_;
  std::vector<FoundChain> chains_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::size_t current_ = 0;  // the chain of the last atom
  std::size_t atoms_ = 0;
};

}  // namespace accord
