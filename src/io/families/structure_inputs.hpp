// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "io/families/family_reader.hpp"

namespace accord {

/// Reads the first of the files that have suffixes of structures, at most 16 for each thread, side
/// by side. The inputs have their records, and no text. Messages and errors come in the order of
/// the files.
/// Returns  no input if the first file has another suffix.
/// Throws  what the first file that cannot be read throws: as read_input and records_of_input.
std::vector<InputText> read_structures(std::span<const InputFile> files, const FamilySource& source,
                                       bool with_checksums);

}  // namespace accord
