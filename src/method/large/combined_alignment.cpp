// SPDX-License-Identifier: Apache-2.0
#include "method/large/combined_alignment.hpp"

#include <string>

#include "base/log.hpp"
#include "base/text.hpp"

namespace accord {

std::vector<ResidueRange> residues_left_out(const SequenceSet& set,
                                            const CombinedAlignment& combined) {
  std::vector<ResidueRange> ranges;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    const std::vector<std::uint32_t>& row = combined.msa.column_of[x];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (combined.is_given_column[row[i]]) continue;
      const std::size_t first = i;
      while (i + 1 < row.size() && !combined.is_given_column[row[i + 1]]) ++i;
      ranges.push_back({x, first, i});
    }
  }
  return ranges;
}

void warn_of_residues_left_out(const std::vector<ResidueRange>& ranges) {
  if (ranges.empty()) return;
  std::size_t residues = 0, sequences = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    residues += ranges[k].last - ranges[k].first + 1;
    sequences += k == 0 || ranges[k].sequence != ranges[k - 1].sequence;
  }
  log_warning(counted(residues, "residue") + " of " + counted(sequences, "sequence") +
                  (residues == 1 ? " has" : " have") + " no column; only a2m and a3m contain " +
                  (residues == 1 ? "it" : "them"),
              "{left-out} lists them");
}

}  // namespace accord
