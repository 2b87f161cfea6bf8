// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace accord {

/// Whether a text has atoms of a PDB file. Their coordinates are looked at if the text does not
/// begin as such a file.
bool looks_like_pdb(std::string_view text);
/// Whether a text begins as an mmCIF file: with `data_NAME`, perhaps behind comments.
bool looks_like_mmcif(std::string_view text);

}  // namespace accord
