// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/sequence_set.hpp"

namespace accord {

/// Stands before the header of a sequence that was turned, as in MAFFT.
inline constexpr const char* kTurnedMark = "_R_";

/// The reverse complement of nucleotides. IUPAC letters keep their case. A becomes U if `letters`
/// has a U, else T. Other characters stay the same, in reversed order.
std::string reverse_complement(const std::string& letters);

/// Turns nucleotide sequences (reverse complement) so that each shares as many words of k letters
/// as possible with the others, and puts kTurnedMark before the headers of turned sequences. k is 6
/// to 12, and larger for longer sequences. The first `directed` records, at most all of them, are
/// not turned, and the others get their direction. If
/// `directed` is 0, the majority keeps its direction; if exactly half of the sequences would turn,
/// the longest one keeps its direction. The order of the records behind the directed ones does not
/// matter.
/// Returns  the indices of the turned sequences in `records`, increasing.
/// Cost    O(letters), times a few.
std::vector<std::size_t> adjust_directions(std::vector<SequenceRecord>& records,
                                           std::size_t directed = 0);

/// Finds the sequences that look like reverse complements of the others, or of the first `directed`
/// sequences in the input. Each sequence is compared with at most 200 sequences, and of these only
/// with the majority that have one direction. A sequence is found if, turned, it shares at least
/// twice as many words of k letters with them. The gain must also be, on average over these
/// sequences, at least ten words and at least one word per twenty letters. Proteins have no
/// direction, and the result is empty.
/// Returns  their places in the input, from 0, increasing.
/// Cost    O(letters)
std::vector<std::size_t> backward_sequences(const SequenceSet& set, std::size_t directed = 0);

}  // namespace accord
