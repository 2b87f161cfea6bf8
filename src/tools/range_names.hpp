// SPDX-License-Identifier: Apache-2.0
// Names with coordinates, NAME/12-80, of rows that lose residues.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The number of residues of a row, and the indices of the first and the last kept residue.
struct KeptResidues {
  std::size_t count = 0;
  std::optional<std::size_t> first = {};  ///< not set: no residue is kept
  std::size_t last = 0;
};

/// For each row, the residues that remain if the columns c with !kept[c] are removed.
std::vector<KeptResidues> kept_residues(const GappedRows& rows, const std::vector<bool>& kept);

/// The number of residues that the coordinates of a name count; none if it has no coordinates.
std::optional<std::size_t> counted_by_name(std::string_view name);

/// Changes the coordinates of a name such as NAME/12-80 to those of the first and the last kept
/// residue. Coordinates that decrease, NAME/80-12, are of the reverse strand. A record that keeps
/// no residue keeps its name.
/// Returns  false if the record loses residues at an end, and its coordinates do not count its
///          residues; the name is then unchanged.
bool renumber(SequenceRecord& record, const KeptResidues& kept);

/// Warns of names that renumber() could not change, with `hint`.
void warn_of_misfits(const std::vector<std::string>& names, const std::string& hint = {});

/// Renumbers the names of all rows, in headers and markup. The rows are those of `set` in input
/// order. Warns of names that do not fit.
void renumber_rows(AlignmentText& text, const SequenceSet& set,
                   const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Warns of rows without a kept residue.
void warn_of_empty_rows(const std::vector<std::string>& names,
                        const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Removes the columns c with !kept[c], as keep_columns(), and renumbers the names of the rows,
/// which are those of `set` in input order. Warns of names that do not fit, and of rows without a
/// kept residue.
void keep_numbered_columns(AlignmentText& text, const SequenceSet& set,
                           const std::vector<bool>& kept);

}  // namespace accord
