// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace accord {

/// A multiple alignment: for each row (canonical sequence index) the column of each residue.
///
/// Invariant  strictly increasing within a row and below `columns`, so that a row cannot lose,
///         repeat or reorder residues; no column is empty in all rows.
struct Msa {
  std::uint32_t columns = 0;
  std::vector<std::vector<std::uint32_t>> column_of;  ///< [row][residue]

  bool operator==(const Msa&) const = default;
};

}  // namespace accord
