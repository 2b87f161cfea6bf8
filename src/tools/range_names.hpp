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

/// The residues of a row that remain when columns are removed.
struct KeptResidues {
  std::size_t count = 0;  ///< residues of the row before the removal
  /// Index of the first kept residue among all residues of the row, from 0; not set: none is kept.
  std::optional<std::size_t> first = {};
  std::size_t last = 0;  ///< index of the last kept residue; no meaning if none is kept
};

/// For each row, the residues that remain if the columns c with !kept[c] are removed.
std::vector<KeptResidues> kept_residues(const GappedRows& rows, const std::vector<bool>& kept);

/// The number of residues that the coordinates of a name span (69 for NAME/12-80); none if the name
/// has no coordinates.
std::optional<std::size_t> counted_by_name(std::string_view name);

/// Changes the coordinates in the name of a record, such as NAME/12-80, to those of the first and
/// the last kept residue. Coordinates that decrease, NAME/80-12, are of the reverse strand. A name
/// without coordinates, and the name of a record that keeps no residue, stay as they are.
/// Returns  false if the record loses residues at an end, but its coordinates span another number
///          of residues than kept.count; the name is then unchanged.
bool renumber(SequenceRecord& record, const KeptResidues& kept);

/// Warns of `names`, which renumber() could not change; does nothing if there are none. `hint`
/// tells the user what to do; may be empty.
void warn_of_names_not_renumbered(const std::vector<std::string>& names,
                                  const std::string& hint = {});

/// Renumbers the names of all rows, in headers and markup, by renumber(). The rows are those of
/// `set` in input order; `kept` has an element for each row. Residues and columns stay as they are.
/// Warns of names that renumber() could not change, with `hint`.
void renumber_rows(AlignmentText& text, const SequenceSet& set,
                   const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Warns of rows without a kept residue, with `hint`; `names` and `kept` are in the same order.
void warn_of_empty_rows(const std::vector<std::string>& names,
                        const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Removes the columns c with !kept[c] by keep_columns(), and renumbers the names of the rows by
/// renumber_rows(). The rows are those of `set` in input order. Also warns of rows without a kept
/// residue.
void keep_numbered_columns(AlignmentText& text, const SequenceSet& set,
                           const std::vector<bool>& kept);

}  // namespace accord
