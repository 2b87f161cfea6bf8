// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/families/sequence_reader.hpp"

namespace accord {

/// Reads the rows of the alignment in a text, gaps included; `label` names it in messages.
/// Throws  as records_of; Error{bad_input} if it has no columns, or if rows differ in length.
std::vector<SequenceRecord> aligned_records_of(std::string_view text, const std::string& label,
                                               const ReadOptions& options);

/// The letters of a row, without its gaps, `-` and `.`.
std::string letters_alone(std::string_view row);
/// The same rows, without their gaps.
std::vector<SequenceRecord> without_gaps(const std::vector<SequenceRecord>& rows);

/// For each residue of a row, its column, from 0. Gaps are `-` and `.`.
std::vector<std::uint32_t> columns_of_row(std::string_view row);

}  // namespace accord
