// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/formats/formats.hpp"

namespace accord {

/// The suffix of the files of alignments that the program names, which format_of_suffix() knows
/// again: that of aligned FASTA differs from the suffixes of sequences.
std::string suffix_of(AlignmentFormat format);

}  // namespace accord
