// SPDX-License-Identifier: Apache-2.0
// The rows of an alignment that has too many of them for a page.
#pragma once
#include <cstddef>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The number of representative rows on the page of an alignment that does not fit (fits_page).
constexpr std::size_t kRepresentativePageRows = 1000;

/// Residues of all columns and rows of an alignment.
std::size_t residue_count(const Msa& msa);

/// Chooses `count` rows that represent a family, or all if there are no more, by
/// select_representatives().
/// Returns  indices of rows in input order, increasing.
std::vector<std::size_t> representative_rows(const SequenceSet& set, std::size_t count);

/// The given rows of an alignment, without the columns that they leave empty. `text` has its rows
/// in input order, and no markup of rows. `rows`: increasing indices, at least one.
AlignmentText with_rows(AlignmentText text, const std::vector<std::size_t>& rows);

}  // namespace accord
