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
/// the others than they do themselves, and marks their headers. The first `directed` of them stay
/// as they are, and say what the direction of the others is. If there are none, the fewer sequences
/// are turned; if they are as many, the longest one stays. The order of the records behind the
/// directed ones does not matter.
/// Returns  the places of those that were turned.
/// Cost    O(letters), times a few.
std::vector<std::size_t> adjust_directions(std::vector<SequenceRecord>& records,
                                           std::size_t directed = 0);

/// The sequences that look like reverse complements of the others, or of the first `directed` of
/// the input: with those among 200 of these that read one way, the more of them, they share at
/// least twice as many words of k letters when turned round, and in the mean at least ten words
/// more, or a twentieth of their letters. None of proteins.
/// Returns  their places in the input.
/// Cost    O(letters)
std::vector<std::size_t> backward_sequences(const SequenceSet& set, std::size_t directed = 0);

}  // namespace accord
