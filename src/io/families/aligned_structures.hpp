// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/families/aligned_reader.hpp"

namespace accord {

/// Gives the rows of an alignment the structures of files, by their names. `inputs` are as those of
/// files_of_inputs(); `keeps_atoms`: with all atoms. Warns of structures that no row has.
/// Throws  as read_family; Error{bad_input} if no row has a structure, or if a structure has other
///         residues than its row.
void add_structures(AlignedFamily& aligned, const std::vector<std::string>& inputs,
                    bool keeps_atoms);

}  // namespace accord
