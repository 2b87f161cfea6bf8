// SPDX-License-Identifier: Apache-2.0
// Alternative alignments of one family.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accord/api/api.hpp"

namespace accord::api {

/// The options of `accord ensemble`.
struct EnsembleOptions {
  std::size_t replicates = 16;
  std::uint64_t seed = 1;
};

/// An alignment of an ensemble.
struct Replicate {
  std::string name;  ///< "p1.t2" has the parameters 1 and the tree 2
  Alignment alignment;
  std::vector<float> columns;  ///< for each column, the share of replicates that have the same one
  double agreement = 0;        ///< the mean share of aligned pairs that this and another one have
};

/// The result of ensemble().
struct Ensemble {
  std::vector<Replicate> replicates;  ///< the first is the alignment of align(), with the report
  double dispersion = 0;              ///< 1 - the median agreement of two replicates
  std::size_t best = 0;               ///< the replicate that agrees best with the others
  std::vector<Notice> warnings;
};

/// Aligns sequences several times, with parameters and guide trees that differ by random factors,
/// as `accord ensemble` does. The result is the same on every device, for any number of threads and
/// any order of the sequences.
/// Throws  as align; Error{usage} for no replicates, and for the modes "local" and "motifs".
Ensemble ensemble(const std::vector<Sequence>& sequences, const EnsembleOptions& wanted = {},
                  const Options& options = {});

/// An ensemble as Ensemble FASTA: a line of `<` and the name before each alignment.
/// Throws  Error{bad_input} if rows of a replicate differ in length.
std::string format(const Ensemble& ensemble);

}  // namespace accord::api
