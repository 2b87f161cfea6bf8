// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// A family of a batch, with the paths of its input and its output.
struct BatchFamily {
  std::string id;                  ///< unique, the stem of the file names
  std::string input;               ///< of files_of_inputs: a file, or a folder of structures
  std::string output;              ///< path
  std::uint64_t bytes = 0;         ///< of the input; 0 if unknown, and reading it will fail
  double cells = 0;                ///< cells of the alignment, from a manifest; 0: not known
  std::string listed_output = {};  ///< OUT of a manifest; empty: the output is named by the id
  /// The tracks, as set_tracks reads them; empty: none; not set: those of the batch.
  std::optional<std::string> track = {};
};

/// A part of a batch, which one of several processes aligns.
struct Shard {
  std::size_t number = 1;  ///< from 1
  std::size_t count = 1;
};

/// The families of `source`: a directory (its FASTA files, known by their suffix, packed or
/// not), or a manifest ("-" is stdin) with a line for each family: IN, ID <tab> IN, ID <tab> IN
/// <tab> OUT, or ID <tab> IN <tab> OUT <tab> CELLS (see format_plan), or these and TRACK, the
/// tracks of the family (CELLS may then be empty); blank lines and those that begin with '#' are
/// skipped. An id is the name of the input without directory and suffix if none is given. Outputs
/// stand in `directory`: OUT, or the id and `suffix` if that is empty.
///
/// Returns  the families, sorted by decreasing work (see expected_work), then by id.
/// Throws  Error{no_input} if the source cannot be read; Error{bad_input} if it has no family, a
///         line makes no sense, two families have one id or output, or an output would overwrite
///         the input of a family.
std::vector<BatchFamily> list_families(const std::string& source, const std::string& directory,
                                       const std::string& suffix);

/// Sets the tracks of the families that name none. `of_families` is a folder with a FASTA file for
/// each family, whose name without suffix is the id, or a path with `{}` in the place of the id. A
/// file that is not there is named, too: reading it will fail. Does nothing if it is empty.
/// Throws  Error{no_input} if the folder cannot be read; Error{bad_input} if it has no FASTA file,
///         or two of one id.
void name_tracks(std::vector<BatchFamily>& families, const std::string& of_families);

/// The families of one shard. Every family of the list is in exactly one shard: in the order of the
/// list, each family goes to the shard with the least work so far, so that all shards take about as
/// long. Pure.
/// Reference  Graham 1969, SIAM J Appl Math 17:416 (longest processing time first).
std::vector<BatchFamily> shard_of(const std::vector<BatchFamily>& families, const Shard& shard);

/// The number of CPUs that a family asks for, at least one and at most `cpus`. It is twice the
/// share of the family in the work that is not done yet: part of its work cannot be spread over
/// CPUs, and the largest family should not end after the others. `work`: the work of the family
/// (see expected_work); `open_work`: the work of all families that are not done, this one included.
/// Pure.
int cpus_for(double work, double open_work, int cpus);

/// The manifest of the families, with the cells of their alignments (see predicted_cells). The line
/// of a family that cannot be read has no cells; aligning the family reports the error.
/// Cost    reads the families.
std::string format_plan(const std::vector<BatchFamily>& families, const FamilySource& source,
                        const MethodOptions& method);

/// The work of a family, which is twice the cells of its alignment. The cells are those of the
/// manifest, or else estimated from the size of the input. For several families, the sum.
double expected_work(const BatchFamily& family);
double expected_work(const std::vector<BatchFamily>& families);

}  // namespace accord
