// SPDX-License-Identifier: Apache-2.0
#include "tools/ensemble_agreement.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

struct Residue {
  std::uint32_t row, index;
};

/// An alignment by columns.
class Columns {
 public:
  explicit Columns(const Msa& msa) : columns_(msa.columns) {
    for (std::uint32_t row = 0; row < msa.column_of.size(); ++row) {
      const std::vector<std::uint32_t>& column_of = msa.column_of[row];
      for (std::uint32_t k = 0; k < column_of.size(); ++k)
        columns_[column_of[k]].push_back({row, k});
    }
  }

  std::size_t size() const { return columns_.size(); }
  const std::vector<Residue>& operator[](std::size_t column) const { return columns_[column]; }

  std::uint64_t pairs() const {
    std::uint64_t sum = 0;
    for (const auto& residues : columns_) sum += residues.size() * (residues.size() - 1) / 2;
    return sum;
  }

 private:
  std::vector<std::vector<Residue>> columns_;  // with increasing rows
};

/// What two replicates share.
struct Shared {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> columns;  ///< of the first, of the second
  std::uint64_t pairs = 0;
};

Shared shared_by(const Columns& first, const Columns& second, const Msa& in_second) {
  Shared shared;
  std::vector<std::uint32_t> residues_in(second.size(), 0);  // of one column of the first
  for (std::uint32_t c = 0; c < first.size(); ++c) {
    const std::vector<Residue>& residues = first[c];
    std::uint32_t last = 0;
    for (const Residue& residue : residues) {
      last = in_second.column_of[residue.row][residue.index];
      shared.pairs += residues_in[last]++;
    }
    if (residues_in[last] == residues.size() && second[last].size() == residues.size()) {
      shared.columns.emplace_back(c, last);
    }
    for (const Residue& residue : residues) {
      residues_in[in_second.column_of[residue.row][residue.index]] = 0;
    }
  }
  return shared;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void check_equal_rows(const Msa& a, const Msa& b) {
  if (std::ranges::equal(a.column_of, b.column_of, {}, &std::vector<std::uint32_t>::size,
                         &std::vector<std::uint32_t>::size)) {
    return;
  }
  throw Error(ErrorKind::internal, "comparing replicates: they are of different families");
}

}  // namespace

EnsembleAgreement agreement_of(const std::vector<const Msa*>& replicates) {
  const std::size_t count = replicates.size();
  std::vector<Columns> columns;
  std::vector<std::uint64_t> pairs;
  // [replicate][column]: replicates with the column
  std::vector<std::vector<std::uint32_t>> having;
  for (const Msa* replicate : replicates) {
    check_equal_rows(*replicates[0], *replicate);
    columns.emplace_back(*replicate);
    pairs.push_back(columns.back().pairs());
    having.emplace_back(columns.back().size(), 1);
  }
  std::vector<double> sums(count, 0), agreements;
  for (std::size_t b = 1; b < count; ++b) {
    // The columns shared by all couples at once could need more memory than the alignments.
    std::vector<Shared> shared(b);
    parallel_for(b, [&](std::size_t a, int) {
      shared[a] = shared_by(columns[a], columns[b], *replicates[b]);
    });
    for (std::size_t a = 0; a < b; ++a) {
      for (const auto& [of_a, of_b] : shared[a].columns) {
        ++having[a][of_a];
        ++having[b][of_b];
      }
      const auto all = static_cast<double>(pairs[a] + pairs[b]);
      agreements.push_back(all == 0 ? 1 : 2 * static_cast<double>(shared[a].pairs) / all);
      sums[a] += agreements.back();
      sums[b] += agreements.back();
    }
  }

  EnsembleAgreement result;
  for (std::size_t r = 0; r < count; ++r) {
    const auto others = static_cast<double>(count - 1);
    result.agreement.push_back(count == 1 ? 1 : sums[r] / others);
    result.column_confidence.emplace_back();
    for (const std::uint32_t number : having[r]) {
      result.column_confidence.back().push_back(static_cast<float>(number) /
                                                static_cast<float>(count));
    }
  }
  if (count > 1) result.dispersion = 1 - median(agreements);
  result.best = static_cast<std::size_t>(std::ranges::max_element(result.agreement) -
                                         result.agreement.begin());
  return result;
}

}  // namespace accord
