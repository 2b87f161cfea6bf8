// SPDX-License-Identifier: Apache-2.0
#include "tools/agreement.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "support/scratch.hpp"
#include "tools/scoring.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

AlignedRows alignment(std::vector<std::string> rows, std::vector<bool> core = {}) {
  AlignedRows result{{}, std::move(rows), std::move(core), "x.aln"};
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    result.names.emplace_back("s").append(std::to_string(r));
  }
  return result;
}

std::vector<ColumnAgreement> columns_of(const AlignedRows& shown,
                                        const std::vector<AlignedRows>& others) {
  std::vector<ColumnAgreement> columns;
  compare_alignments(shown, others, [&](const ColumnAgreement& c) { columns.push_back(c); });
  return columns;
}

/// Sequences with gaps at random; the same seed gives the same sequences.
AlignedRows random_alignment(std::size_t rows, std::size_t columns, unsigned gaps) {
  std::mt19937 letters(1), places(gaps);
  std::vector<std::string> text;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string row(columns, '-');
    std::size_t left = columns / 2;
    for (std::size_t c = 0; c < columns && left > 0; ++c) {
      if (columns - c > left && places() % 2 == 0) continue;
      row[c] = "ACDEFGHIKL"[letters() % 10];
      --left;
    }
    text.push_back(row);
  }
  return alignment(text);
}

/// The column of residue i of a row.
std::size_t column_in(const AlignedRows& rows, std::size_t r, std::size_t i) {
  for (std::size_t c = 0;; ++c) {
    if (rows.rows[r][c] != '-' && i-- == 0) return c;
  }
}

}  // namespace

// By hand: of AB- / A-B / AB- the first column is whole in both others. In the second, rows 0 and 2
// are together in the first other and apart in the second; the third has the residue of row 1
// alone, which the first other aligns with both rows and the second with one of them.
TEST_CASE("agreement: columns and residues of a small example") {
  const AlignedRows shown = alignment({"AB-", "A-B", "AB-"});
  const std::vector<AlignedRows> others = {alignment({"AB", "AB", "AB"}),
                                           alignment({"AB-", "AB-", "A-B"})};
  const std::vector<ColumnAgreement> columns = columns_of(shown, others);
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].pairs() == 3);
  CHECK(columns[0].shared(0) == 3);
  CHECK(columns[0].shared_by_all() == 3);
  CHECK(columns[0].agreement() == 1);
  CHECK(columns[1].pairs() == 1);
  CHECK(columns[1].rows == std::vector<std::size_t>{0, 2});
  CHECK(columns[1].residues == std::vector<std::uint32_t>{1, 1});
  CHECK(columns[1].agreement(0) == 1);
  CHECK(columns[1].agreement(1) == 0);
  CHECK(columns[1].agreement() == 0.5);
  CHECK(columns[1].agreement_of(0) == 0.5);
  CHECK(columns[1].shared_by_all() == 0);
  CHECK(columns[2].pairs() == 0);
  CHECK(std::isnan(columns[2].agreement()));
  CHECK(columns[2].agreement_of(0, 0) == 0);    // in a column with both other rows
  CHECK(columns[2].agreement_of(0, 1) == 0.5);  // with one of the two
  CHECK(columns[2].agreement_of(0) == 0.25);

  AgreementSummary summary({"one", "two\tx"});
  for (const ColumnAgreement& column : columns) summary.add(column);
  CHECK(summary.text() ==
        "alignment\tpairs_shared\tpairs\tagreement\tcolumns_shared\tcolumns\n"
        "one\t4\t4\t1.000000\t2\t2\ntwo x\t3\t4\t0.750000\t1\t2\nall\t3\t4\t0.750000\t1\t2\n");
  CHECK(summary.mean() == doctest::Approx(0.875));
}

TEST_CASE("agreement: sums are those of the score, and residues those of their definition") {
  const AlignedRows shown = random_alignment(9, 60, 3);
  const std::vector<AlignedRows> others = {random_alignment(9, 60, 4), random_alignment(9, 70, 3),
                                           random_alignment(9, 60, 3)};
  const std::vector<AlignedRows> same = {others[0], others[2]};  // of the same sequences
  const std::vector<ColumnAgreement> columns = columns_of(shown, same);
  std::vector<std::uint64_t> shared(2), whole(2);
  std::uint64_t in_all = 0;
  for (const ColumnAgreement& column : columns) {
    for (std::size_t k = 0; k < 2; ++k) {
      shared[k] += column.shared(k);
      whole[k] += column.pairs() > 0 && column.shared(k) == column.pairs();
    }
    std::uint64_t both = 0;
    for (std::size_t a = 0; a < column.rows.size(); ++a) {
      std::size_t partners = 0;
      for (std::size_t b = 0; b < column.rows.size(); ++b) {
        if (a == b) continue;
        std::size_t found = 0;
        for (const AlignedRows& other : same) {
          found += column_in(other, column.rows[a], column.residues[a]) ==
                   column_in(other, column.rows[b], column.residues[b]);
        }
        partners += found;
        both += a < b && found == 2;
      }
      if (column.rows.size() < 2) continue;
      CHECK(column.agreement_of(a) == doctest::Approx(static_cast<double>(partners) / 2 /
                                                      static_cast<double>(column.rows.size() - 1)));
    }
    if (column.rows.size() > 1) CHECK(column.shared_by_all() == both);
    in_all += both;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const Score score = score_alignment(same[k], shown);
    CHECK(shared[k] == score.correct_pairs);
    CHECK(whole[k] == score.correct_columns);
  }
  CHECK(shared[1] > shared[0]);  // it is the shown one itself
  CHECK(in_all == shared[0]);
  CHECK(error_of([&] { columns_of(shown, {others[1]}); }).kind() == ErrorKind::bad_input);
}

TEST_CASE("agreement: columns that are not scored have none, and count in no sum") {
  const AlignedRows shown = alignment({"AB", "AB"}, {false, true});
  AgreementTable table(shown, {"o"});
  AgreementMarks marks(shown, 1);
  compare_alignments(shown, {alignment({"A-B", "AB-"})}, [&](const ColumnAgreement& column) {
    table.add(column);
    marks.add(column);
  });
  CHECK(table.text() ==
        "level\tcolumn\tsequence\tresidue\tletter\tpairs\tagreement\tin_all\to\n"
        "column\t1\t-\t-\t-\t1\tNA\tNA\tNA\n"
        "residue\t1\ts0\t1\tA\t1\tNA\tNA\tNA\nresidue\t1\ts1\t1\tA\t1\tNA\tNA\tNA\n"
        "column\t2\t-\t-\t-\t1\t0.0000\t0\t0.0000\n"
        "residue\t2\ts0\t2\tB\t1\t0.0000\t0\t0.0000\nresidue\t2\ts1\t2\tB\t1\t0.0000\t0\t0.0000\n");
  CHECK(format_jalview(shown, {"o|x"}, marks) ==
        "JALVIEW_ANNOTATION\n"
        "BAR_GRAPH\tagreement\tMean share of the pairs of a column that the other alignments have"
        "\t|0.0000|\n"
        "BAR_GRAPH\tin o x\tShare of the pairs of a column that o x has\t|0.0000|\n"
        "SEQUENCE_REF\ts0\t1\nBAR_GRAPH\tagreement of residues\tMean share of the pairs of a "
        "residue that the other alignments have\t|0.0000|\n"
        "SEQUENCE_REF\ts1\t1\nBAR_GRAPH\tagreement of residues\tMean share of the pairs of a "
        "residue that the other alignments have\t|0.0000|\n"
        "SEQUENCE_REF\tALIGNMENT\n");
}
