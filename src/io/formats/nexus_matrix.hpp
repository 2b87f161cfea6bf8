// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/alphabet.hpp"
#include "io/formats/nexus_words.hpp"

namespace accord {

/// What the commands of a NEXUS text say of its matrix (Maddison et al. 1997, Syst Biol 46:590).
struct NexusMatrix {
  std::optional<std::size_t> rows, columns;
  std::optional<ResidueType> type;  ///< dna for `nucleotide`; none for `standard`
  char missing = '?', gap = '-', match = 0;
  bool is_interleaved = false, has_labels = true;
  std::map<char, std::string> equates;  ///< what a character stands for: another one, or a set
  std::vector<std::string> taxa;        ///< of the taxa block

  /// Reads the rest of a command `dimensions` or `format`, up to its ';'.
  /// Throws  Error{bad_input} for what is no number or no character, and for a matrix of other
  ///         data, with labels behind its rows, or whose rows are characters.
  void read_settings(NexusWords& words);

  /// Reads the rest of the command `taxlabels`.
  void read_taxa(NexusWords& words);

  /// The taxon that a label of the matrix names: itself, or that of a number, from 1, that is no
  /// taxon itself.
  std::string taxon_of(const std::string& label) const;

 private:
  std::unordered_set<std::string> plain_taxa_;  ///< see plain_taxon

  void set(const NexusWords& words, const std::string& key, const std::string& value);
  void set_type(const NexusWords& words, const std::string& value);
  void set_equates(const NexusWords& words, const std::string& value);
};

/// A name with '_' for its blanks, which are the same in NEXUS.
std::string plain_taxon(std::string name);

/// The letter that stands for each of a set of residues (`letters`, themselves sets perhaps), in
/// lower case if all of them are; none if there is no such letter. Without a type it is that of
/// nucleotides if all letters can be such.
std::optional<char> letter_of_set(std::optional<ResidueType> type, std::string_view letters);

}  // namespace accord
