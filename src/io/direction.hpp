// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/sequence_set.hpp"

namespace accord {

/// What stands before the header of a sequence that was turned round, as MAFFT has it.
inline constexpr const char* kTurnedMark = "_R_";

/// The reverse complement of nucleotides: the IUPAC letters in their case; of RNA A becomes U.
std::string reverse_complement(const std::string& letters);

/// Turns those of the sequences round whose reverse complement shares more words of k letters with
/// the others than they do themselves, and marks their headers. The fewer sequences are turned; if
/// they are as many, the longest one stays. The order of the records does not matter.
/// Returns  the places of those that were turned.
/// Cost    O(letters), times a few.
std::vector<std::size_t> adjust_directions(std::vector<SequenceRecord>& records);

}  // namespace accord
