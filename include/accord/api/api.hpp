// SPDX-License-Identifier: Apache-2.0
// The C++ interface of the installed library. It stays as it is within a major version; what other
// headers declare may change with every release, and they are not installed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "accord/base/error.hpp"

namespace accord::api {

/// A named row of letters: a sequence, or a row of an alignment with gaps as `-` or `.`.
struct Sequence {
  std::string name;
  std::string letters;
};

/// What the letters stand for; `detect` decides by their composition.
enum class Letters { detect, protein, dna, rna };

/// How sequences are aligned; the defaults are those of the program.
struct Options {
  Letters letters = Letters::detect;
  std::string tree = "upgma";   ///< or "nj"
  std::string device = "none";  ///< as --device of the program; none is the host
  int threads = 0;              ///< 0: as many as this process may use
  bool confidence = false;      ///< also compute the confidence
};

/// An alignment of sequences, in their order.
struct Alignment {
  std::vector<Sequence> rows;            ///< letters in their case, gaps as `-`
  std::string tree;                      ///< the guide tree, Newick
  std::vector<float> column_confidence;  ///< in [0, 1], NaN for a single residue; if asked for
  double mean_confidence = 0;            ///< of all pairs of residues in one column
};

/// The posterior probability that two residues are aligned.
struct PosteriorCell {
  std::uint32_t i, j;  ///< residues of x and y, from 0
  float probability;
};

/// SP and TC of an alignment over the columns of a reference.
struct Score {
  double sum_of_pairs, total_column;
};

/// The release: "0.1.0".
std::string version();

/// Aligns sequences; gaps in them are left out. The result is the same on every device, for any
/// number of threads and any order of the sequences, and the same as that of the program.
/// Errors  Error{bad_input} for other characters, or nucleotides and proteins together;
///         Error{usage} for an option that does not exist; what devices throw.
Alignment align(const std::vector<Sequence>& sequences, const Options& options = {});

/// The guide tree of sequences, Newick, with branch lengths in units of the distance.
/// Errors  as align.
std::string tree(const std::vector<Sequence>& sequences, const Options& options = {});

/// The posteriors of a pair of sequences that the method keeps, by i, then j.
/// Errors  as align.
std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options = {});

/// How far an alignment agrees with a reference over all of its columns; rows are matched by name,
/// and the reference may have fewer rows.
/// Errors  Error{bad_input} if rows differ in length, name or residues.
Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference);

}  // namespace accord::api
