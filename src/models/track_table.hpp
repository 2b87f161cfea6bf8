// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/parameters.hpp"

namespace accord {

/// The letter of a residue that is unknown to a track.
constexpr char kUnknownTrackLetter = '?';

/// Log odds of the letters of a track. A track has a letter for each residue of a sequence besides
/// the residue itself, such as its secondary structure.
struct TrackTable {
  std::string name;                           ///< of a built-in table, or of the file
  std::string text;                           ///< text of the file
  std::string letters;                        ///< all letters; case matters
  std::vector<double> frequencies;            ///< [place of a letter]; their sum is 1
  std::vector<std::vector<double>> log_odds;  ///< [place][place], symmetric, natural logarithms
  std::optional<ResidueKind> residues;        ///< kind that the table is for; none: both kinds

  /// The place of a letter in `letters`; none if the table does not know it.
  std::optional<std::size_t> place_of(char letter) const;

  /// Whether the letters are those of secondary structures of nucleic acids: `(`, `)` and `.`,
  /// perhaps with others.
  bool has_dot_brackets() const;

  /// Whether the letters are `H`, `E` and `C`, so that the other letters of DSSP stand for them.
  bool takes_dssp() const;
};

/// Reads a table of log odds. Lines that begin with # are comments, except that `# Lambda...: x`
/// gives the factor from scores to natural logarithms (1 without it), and `# Background...: p q
/// ...` the frequencies of the letters (equal without it). The first other line has the letters,
/// each line behind it a letter and its scores. Foldseek's table of 3Di letters has this format.
/// `label` is the file name, for messages and as the name of the table. The table is for both kinds
/// of residues.
/// Throws  Error{bad_input} if the text is no such table; if it has fewer than 2 or more than 64
///         letters, a letter twice, or one of the letters `?-~>;`; if a frequency is below 1e-9 of
///         their sum; or if log odds are beyond 20 or not symmetric. The message names the line if
///         a single line is wrong.
TrackTable parse_track_table(std::string_view text, const std::string& label);

/// The names of the built-in tables: mu (letters of Reseek) and ss3 (secondary structure) for
/// proteins, rna (secondary structure) and fold (base pairs with their probabilities, see
/// fold_family) for nucleotides.
const std::vector<std::string>& built_in_track_tables();

/// The built-in table of a name.
/// Throws  Error{internal} if there is none.
TrackTable built_in_track_table(const std::string& name);

/// The texts of the embedded files.
std::string_view track_fold_text();
std::string_view track_mu_text();
std::string_view track_rna_text();
std::string_view track_ss3_text();

}  // namespace accord
