// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/families/family_reader.hpp"
#include "method/settings.hpp"

namespace accord {

/// A family of a batch, with the paths of its input and its output.
struct BatchFamily {
  std::string id;           ///< unique, the stem of the file names
  std::string input;        ///< path of a file, or of a folder of structures
  std::string output;       ///< path
  std::uint64_t bytes = 0;  ///< of the input; 0 if unknown, and reading it will fail
  double cells = 0;         ///< predicted_cells() of the family, from a manifest; 0: not known
  std::string listed_output = {};  ///< OUT of a manifest; empty: the output is named by the id
  /// The tracks, as set_tracks reads them; empty: none; not set: those of the batch.
  std::optional<std::string> track = {};
};

/// A part of a batch, which one of several processes aligns.
struct Shard {
  std::size_t number = 1;  ///< from 1 to `count`
  std::size_t count = 1;   ///< number of shards
};

/// Lists the families of the sources. A source is a directory (see families_of_directory), a file
/// of sequences, which is a family, or a manifest ("-" is a manifest on standard input). If there
/// are several sources, a folder of structures is a family. A manifest has a line for each family:
/// IN, ID <tab> IN, ID <tab> IN <tab> OUT, ID <tab> IN <tab> OUT <tab> CELLS (see format_plan), or
/// these and <tab> TRACK, the tracks of the family (CELLS may then be empty). Blank lines and lines
/// that begin with '#' are skipped. Without ID, the id is the name of the input without directory
/// and suffix. Outputs are put into `directory`. The name of an output is OUT; without OUT, it is
/// the id followed by `suffix`.
///
/// Returns  the families, sorted by decreasing work (see expected_work), then by id.
/// Throws  Error{no_input} if a source cannot be read; Error{bad_input} if it has no family, a
///         line makes no sense, two families have one id or output, or an output would overwrite
///         the input of a family.
std::vector<BatchFamily> list_families(const std::vector<std::string>& sources,
                                       const std::string& directory, const std::string& suffix);

/// Sets the tracks of the families that name none. `of_families` is a folder with a FASTA file for
/// each family, whose name without suffix is the id, or a path with `{}` in the place of the id. A
/// file that is not there is named, too: reading it will fail. Does nothing if it is empty.
/// Throws  Error{no_input} if the folder cannot be read; Error{bad_input} if it has no FASTA file,
///         or two of one id.
void name_tracks(std::vector<BatchFamily>& families, const std::string& of_families);

/// The families of one shard. Every family of the list is in exactly one shard. In the order of the
/// list, each family goes to the shard with the least work so far, so that all shards take about
/// the same time. Pure.
/// Reference  Graham 1969, SIAM J Appl Math 17:416 (longest processing time first).
std::vector<BatchFamily> shard_of(const std::vector<BatchFamily>& families, const Shard& shard);

/// The number of CPUs that a family asks for, at least one and at most `cpus`. It is twice the
/// share of the family in the work that is not done yet: part of its work cannot be spread over
/// CPUs, and the largest family should not end after the others. `work`: the work of the family
/// (see expected_work); `open_work`: the work of all families that are not done, this one included.
/// Pure.
int cpus_for(double work, double open_work, int cpus);

/// Formats the manifest of the families, with the predicted_cells() of each. `source` has the
/// options for reading a family, `method` those for aligning it. The line of a family that cannot
/// be read has no cells, and a warning names the family.
/// Cost    reads the families.
std::string format_plan(const std::vector<BatchFamily>& families, const FamilySource& source,
                        const MethodOptions& method);

/// The work of a family: twice its cells. The cells are those of the manifest, or else are
/// estimated from the size of the input. The second function returns the sum over the families.
double expected_work(const BatchFamily& family);
double expected_work(const std::vector<BatchFamily>& families);

/// Refuses families whose output would lie outside the directory of the alignments, since OUT of a
/// manifest is an absolute path or goes up by "..": a manifest from elsewhere could otherwise
/// overwrite any file.
/// Throws  Error{bad_input}, with a hint at the option that allows such outputs.
void check_outputs_inside(const std::vector<BatchFamily>& families);

}  // namespace accord
