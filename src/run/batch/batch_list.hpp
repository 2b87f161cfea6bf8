// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// A family of a batch: where it is read and written.
struct BatchFamily {
  std::string id;           ///< unique, the stem of the file names
  std::string input;        ///< path
  std::string output;       ///< path
  std::uint64_t bytes = 0;  ///< of the input file; 0 if it cannot be asked, which reading reports
  double cells = 0;         ///< of its alignment, as a manifest says; 0: not known
  std::string listed_output = {};  ///< OUT of a manifest; empty: it is named by the id
};

/// A part of a batch that one process of several does.
struct Shard {
  std::size_t number = 1;  ///< from 1
  std::size_t count = 1;
};

/// The families of `source`: a directory (its FASTA files, known by their suffix, packed or
/// not), or a manifest ("-" is stdin) with a line for each family: IN, ID <tab> IN, ID <tab> IN
/// <tab> OUT, or ID <tab> IN <tab> OUT <tab> CELLS (see format_plan); blank lines and those that
/// begin with '#' are skipped. An id is the name of the input without directory and suffix if none
/// is given. Outputs stand in `directory`: OUT, or the id and `suffix` if that is empty.
///
/// Returns  sorted: those of much work first (see expected_work), then by id.
/// Throws  Error{no_input} if the source cannot be read; Error{bad_input} if it has no family, a
///         line makes no sense, two families have one id or output, or an output would overwrite
///         the input of a family.
std::vector<BatchFamily> list_families(const std::string& source, const std::string& directory,
                                       const std::string& suffix);

/// The families of one shard. The shards of a list are disjoint and together the whole list. Each
/// family, in their order, goes to the shard that has the least work so far, so that the shards
/// take about as long. Pure.
/// Reference  Graham 1969, SIAM J Appl Math 17:416 (longest processing time first).
std::vector<BatchFamily> shard_of(const std::vector<BatchFamily>& families, const Shard& shard);

/// How many CPUs a family wants: twice its part of the work that is not done yet, since not all of
/// its work can be spread, so that the largest does not end after the others; at least one. The
/// work is taken to be the square of the input's size. `open_work` includes it. Pure.
int cpus_for(double work, double open_work, int cpus);

/// The manifest of the families with the cells that their alignments have (see predicted_cells); a
/// family that cannot be read is left without, and its error is that of its alignment.
/// Cost    reads the families.
std::string format_plan(const std::vector<BatchFamily>& families, const FamilySource& source,
                        const MethodOptions& method);

/// The work of a family, twice the cells of its alignment: as a manifest says, else as far as the
/// size of its input tells; of several, their sum.
double expected_work(const BatchFamily& family);
double expected_work(const std::vector<BatchFamily>& families);

}  // namespace accord
