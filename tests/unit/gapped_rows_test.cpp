// SPDX-License-Identifier: Apache-2.0
#include "core/gapped_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "accord/base/error.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Random rows of so many columns, some of them all gaps.
std::vector<std::string> random_rows(std::mt19937& random, std::size_t columns) {
  std::vector<std::string> rows(random() % 6);
  for (std::string& row : rows) {
    const unsigned gaps = random() % 5;
    for (std::size_t c = 0; c < columns; ++c) {
      row += random() % 4 < gaps ? '-' : static_cast<char>('A' + random() % 26);
    }
  }
  return rows;
}

GappedRows rows_of(const std::vector<std::string>& texts, std::size_t columns) {
  GappedRows rows(columns);
  for (const std::string& text : texts) rows.push_back(text);
  return rows;
}

}  // namespace

TEST_CASE("gapped rows: texts, blocks of them, counts and columns that are kept") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::size_t columns = random() % 40;
    const std::vector<std::string> texts = random_rows(random, columns);
    GappedRows rows = rows_of(texts, columns);
    CHECK(rows.columns() == columns);
    CHECK(rows == texts);
    CHECK(rows.texts() == texts);
    std::vector<std::size_t> residues(columns, 0);
    for (std::size_t r = 0; r < texts.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) residues[c] += texts[r][c] != '-';
      const std::size_t first = random() % (columns + 3), count = random() % (columns + 3);
      std::string block = "begin", dotted;
      rows.append(block, r, first, count);
      CHECK(block == "begin" + texts[r].substr(std::min(first, columns), count));
      rows.append(dotted, r, 0, columns, std::string(rows.residues(r).size(), 'x'), '.');
      for (std::size_t c = 0; c < columns; ++c) {
        CHECK(dotted[c] == (texts[r][c] == '-' ? '.' : 'x'));
      }
    }
    CHECK(rows.residues_by_column() == residues);

    std::vector<bool> kept(columns);
    for (std::size_t c = 0; c < columns; ++c) kept[c] = random() % 2 == 0;
    std::vector<std::string> left(texts.size());
    for (std::size_t r = 0; r < texts.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        if (kept[c]) left[r] += texts[r][c];
      }
    }
    rows.keep_columns(kept);
    CHECK(rows == left);
    CHECK(rows.columns() == static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true)));
  }
}

TEST_CASE("gapped rows: what does not fit is refused") {
  GappedRows rows(3);
  const std::vector<std::uint32_t> columns = {0, 2}, beyond = {1, 3};
  rows.add("AC", columns);
  CHECK(rows == std::vector<std::string>{"A-C"});
  CHECK(error_of([&] { rows.add("A", columns); }).kind() == ErrorKind::internal);
  CHECK(error_of([&] { rows.add("AC", beyond); }).kind() == ErrorKind::internal);
  CHECK(error_of([&] { rows.push_back("ACDE"); }).kind() == ErrorKind::internal);
}
