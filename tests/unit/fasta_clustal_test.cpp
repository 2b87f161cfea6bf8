// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "io/families/reference_alignment.hpp"
#include "io/formats/formats.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A family and an alignment of it, from gapped rows in input order.
struct Aligned {
  SequenceSet set;
  Msa msa;
};

Aligned aligned(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::vector<SequenceRecord> records;
  for (const auto& [header, row] : rows) {
    records.push_back({header, row});
    std::erase(records.back().letters, '-');
  }
  Aligned result{SequenceSet(records, ResidueType::protein), {}};
  result.msa.column_of.resize(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string& row = rows[k].second;
    result.msa.columns = static_cast<std::uint32_t>(row.size());
    for (std::uint32_t c = 0; c < row.size(); ++c) {
      if (row[c] != '-') result.msa.column_of[result.set.from_input(k)].push_back(c);
    }
  }
  return result;
}

std::string written(const std::vector<std::pair<std::string, std::string>>& rows,
                    AlignmentFormat format) {
  const Aligned family = aligned(rows);
  return format_alignment(make_alignment_text(family.set, family.msa), format);
}

const std::string kFirstLine = "CLUSTAL accord " ACCORD_VERSION " multiple sequence alignment\n";

}  // namespace

TEST_CASE("FASTA: input order, whole headers, letters as they came") {
  CHECK(written({{"short one", "-Ac-"}, {"b long", "WAc*"}, {"a", "-a-x"}},
                AlignmentFormat::fasta) == ">short one\n-Ac-\n>b long\nWAc*\n>a\n-a-x\n");
}

TEST_CASE("FASTA: lines of 60 columns") {
  for (std::size_t columns : {59u, 60u, 61u, 120u, 125u}) {
    const std::string row(columns, 'A');
    std::string expected = ">a\n";
    for (std::size_t c = 0; c < columns; c += 60) expected += row.substr(c, 60) + "\n";
    CHECK(written({{"a", row}}, AlignmentFormat::fasta) == expected);
  }
}

TEST_CASE("CLUSTAL: blocks, aligned names and marks of identical columns") {
  const std::string tail(60, 'G');
  CHECK(written({{"one x", "ACd-" + tail}, {"a_very_long|name", "ACDE" + tail}},
                AlignmentFormat::clustal) ==
        kFirstLine + "\n\none                 ACd-" + std::string(56, 'G') +
            "\na_very_long|name    ACDE" + std::string(56, 'G') + "\n                    *** " +
            std::string(56, '*') + "\n\none                 GGGG\na_very_long|name    GGGG\n" +
            std::string(20, ' ') + "****\n");
}

TEST_CASE("CLUSTAL: names have no white space and are never empty") {
  const std::string text =
      written({{"", "AC"}, {" \t", "AC"}, {"a\vb\x01", "AC"}}, AlignmentFormat::clustal);
  CHECK(text.find("\nseq1   ") != text.npos);
  CHECK(text.find("\nseq2   ") != text.npos);
  CHECK(text.find("\na_b_   ") != text.npos);
}

TEST_CASE("no columns, no residues, no rows") {
  CHECK(written({{"a", ""}, {"b", ""}}, AlignmentFormat::fasta) == ">a\n>b\n");
  CHECK(written({{"a", ""}, {"b", ""}}, AlignmentFormat::clustal) == kFirstLine + "\n");
  CHECK(written({{"a", "---"}, {"b", "ACD"}}, AlignmentFormat::fasta) == ">a\n---\n>b\nACD\n");
  CHECK(written({}, AlignmentFormat::fasta).empty());
  CHECK(written({}, AlignmentFormat::clustal) == kFirstLine + "\n");
}

TEST_CASE("an alignment of another family is refused") {
  Aligned family = aligned({{"a", "AC-"}, {"b", "ACD"}});
  family.msa.column_of[0].pop_back();
  const auto refusal = [&] {
    const Error error = error_of([&] { make_alignment_text(family.set, family.msa); });
    return std::string(error.what());
  };
  CHECK(refusal().find("does not fit") != std::string::npos);
  family.msa.column_of.pop_back();
  CHECK(refusal().find("does not have the rows") != std::string::npos);
}

TEST_CASE("both formats read back as they were written") {
  const ScratchDirectory scratch;
  const std::string row1 = "AC-" + std::string(100, 'k') + "*",
                    row2 = "-CD" + std::string(101, 'W');
  for (AlignmentFormat format : {AlignmentFormat::fasta, AlignmentFormat::clustal}) {
    const AlignedRows rows =
        read_alignment(scratch.write("aln", written({{"x y z", row1}, {"tr|Q9|Z", row2}}, format)));
    CHECK(rows.names == std::vector<std::string>{"x", "tr|Q9|Z"});
    CHECK(rows.rows == std::vector<std::string>{row1, row2});
    CHECK(rows.core_columns.empty());
  }
}
