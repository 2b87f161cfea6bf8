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

/// How many residues a row had, and which of them, from 0, are the first and the last kept.
struct KeptResidues {
  std::size_t count = 0;
  std::optional<std::size_t> first = {};  ///< not set: none is kept
  std::size_t last = 0;
};

/// The residues that each row keeps if all columns but those that are `kept` go.
std::vector<KeptResidues> kept_residues(const GappedRows& rows, const std::vector<bool>& kept);

/// How many residues the numbers at the end of a name count; none if it has no such numbers.
std::optional<std::size_t> counted_by_name(std::string_view name);

/// Gives a name such as NAME/12-80 the numbers of the first and the last residue that is kept. The
/// numbers fall along a strand that is read backwards, NAME/80-12. A record that keeps no residue
/// keeps its name.
/// Returns  false if residues at an end went, and the numbers of the name do not count the residues
///         of the record.
bool renumber(SequenceRecord& record, const KeptResidues& kept);

/// Warns of names that renumber() could not change.
void warn_of_misfits(const std::vector<std::string>& names, const std::string& hint = {});

/// Renumbers the names of all rows, those of a set in the order of the input, in headers and
/// markup. Warnings name those that do not fit.
void renumber_rows(AlignmentText& text, const SequenceSet& set,
                   const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Warns of rows that keep no residue.
void warn_of_empty_rows(const std::vector<std::string>& names,
                        const std::vector<KeptResidues>& kept, const std::string& hint = {});

/// Leaves out all columns but those that are `kept`, as keep_columns(), and renumbers the names of
/// the rows, those of a set in the order of the input. Warns of names that do not fit, and of rows
/// that keep no residue.
void keep_numbered_columns(AlignmentText& text, const SequenceSet& set,
                           const std::vector<bool>& kept);

}  // namespace accord
