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

/// The commands of a NEXUS text that describe its matrix (Maddison et al. 1997, Syst Biol 46:590).
struct NexusMatrix {
  std::optional<std::size_t> rows, columns;  ///< the numbers that the text states, if any
  std::optional<ResidueType> type;           ///< dna for `nucleotide`; none for `standard`
  /// The characters for a missing residue, for a gap, and for the residue of the first row
  /// (`match`; 0: there is no such character).
  char missing = '?', gap = '-', match = 0;
  /// Whether the matrix is in blocks of columns, and whether each row begins with its label.
  bool is_interleaved = false, has_labels = true;
  std::map<char, std::string> equates;  ///< the character, or set, that a character stands for
  std::vector<std::string> taxa;        ///< names in the taxa block

  /// Reads the rest of a command `dimensions` or `format`, up to its ';'.
  /// Throws  Error{bad_input} for values that are not a number or a character, for a matrix of
  ///         other data, with labels behind its rows, or with a row for each character, and if
  ///         there is no ';'.
  void read_settings(NexusWords& words);

  /// Reads the rest of a command `taxlabels`, up to its ';', into `taxa`.
  /// Throws  Error{bad_input} if there is no ';'.
  void read_taxa(NexusWords& words);

  /// The taxon for a label of the matrix. If the label is not a taxon but the number of one, from
  /// 1, the result is that taxon; otherwise it is the label itself.
  std::string taxon_of(const std::string& label) const;

 private:
  std::unordered_set<std::string> plain_taxa_;  ///< see plain_taxon

  void set(const NexusWords& words, const std::string& key, const std::string& value);
  void set_type(const NexusWords& words, const std::string& value);
  void set_equates(const NexusWords& words, const std::string& value);
};

/// Replaces the blanks of a name by '_', since NEXUS does not distinguish blanks and '_'.
std::string plain_taxon(std::string name);

/// The letter that stands for all residues of `letters` together, such as R for AG; none if there
/// is no such letter. `letters` may include letters that stand for several residues. If all of
/// `letters` are in lower case, the result is, too. Without a type, `letters` are nucleotides if
/// each of them may be one, else amino acids.
std::optional<char> letter_of_set(std::optional<ResidueType> type, std::string_view letters);

}  // namespace accord
