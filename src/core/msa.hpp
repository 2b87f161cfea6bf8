// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace accord {

/// A multiple alignment: for each row (canonical sequence index) the column of each residue.
///
/// Invariant  columns strictly increase within a row and are below `columns`, so that a row cannot
///            lose, repeat or reorder residues; every column has a residue.
struct Msa {
  std::uint32_t columns = 0;
  std::vector<std::vector<std::uint32_t>> column_of;  ///< [row][residue]

  bool operator==(const Msa&) const = default;
};

}  // namespace accord
