// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// An alignment as it stands in a file.
///
/// Invariant  rows of one length and different names; gaps are `-`.
struct AlignedRows {
  std::vector<std::string> names;
  std::vector<std::string> rows;   ///< gapped letters, case as in the file
  std::vector<bool> core_columns;  ///< one per column: is it scored? Empty if all columns are
  std::string source;              ///< where it was read from, for messages
};

}  // namespace accord
