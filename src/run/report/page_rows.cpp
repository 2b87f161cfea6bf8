// SPDX-License-Identifier: Apache-2.0
#include "run/report/page_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "method/large/representatives.hpp"
#include "tools/columns.hpp"

namespace accord {
namespace {

template <class Value>
void take_places(std::vector<Value>& values, const std::vector<std::size_t>& places) {
  if (values.empty()) return;
  std::vector<Value> taken;
  for (const std::size_t place : places) taken.push_back(std::move(values[place]));
  values = std::move(taken);
}

}  // namespace

std::size_t residue_count(const Msa& msa) {
  std::size_t count = 0;
  for (const std::vector<std::uint32_t>& row : msa.column_of) count += row.size();
  return count;
}

std::vector<std::size_t> representative_rows(const SequenceSet& set, std::size_t count) {
  std::vector<std::uint32_t> all(set.size());
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<std::uint32_t> members = select_representatives(set, all, count);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (std::ranges::binary_search(members, set.from_input(k))) rows.push_back(k);
  }
  return rows;
}

AlignmentText with_rows(AlignmentText text, const std::vector<std::size_t>& rows) {
  take_places(text.headers, rows);
  take_places(text.names, rows);
  take_places(text.whole_names, rows);
  take_places(text.residue_codes, rows);
  const GappedRows given = std::move(text.rows);
  text.rows = GappedRows(text.columns);
  for (const std::size_t r : rows) text.rows.add(given.residues(r), given.column_of(r));
  keep_columns(text,
               passing_columns(text, {.most_gaps = 1 - 0.5 / static_cast<double>(rows.size())}));
  return text;
}

}  // namespace accord
