// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "io/formats/formats.hpp"

namespace accord {

/// The suffix of the files of alignments that the program names: the name of the format, so that
/// format_of_suffix() knows it again, but aligned FASTA differs from the input.
std::string suffix_of(AlignmentFormat format);

}  // namespace accord
