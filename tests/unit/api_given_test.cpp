// SPDX-License-Identifier: Apache-2.0
// The C++ interface to given alignments; tests/python compares its results with the program's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "accord/api/given.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;

namespace {

const std::vector<api::Sequence> kRows = {
    {"a first", "MKVLAAGIVG"}, {"b", "MKVL--GIVG"}, {"c", "MRVLA-GLVG"}};

std::string hint_of(const std::vector<api::Sequence>& rows, const api::TrimOptions& wanted) {
  try {
    api::trim(rows, wanted);
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("--") == std::string::npos);
    return error.hint();
  }
  return {};
}

}  // namespace

TEST_CASE("api given: files are read with their gaps, and without") {
  const std::string path = source_dir() + "/datasets/example.true.fa";
  const api::Sequences rows = api::read_alignment(path), sequences = api::read_sequences(path);
  REQUIRE(rows.records.size() == sequences.records.size());
  for (std::size_t k = 0; k < rows.records.size(); ++k) {
    std::string letters = rows.records[k].letters;
    std::erase(letters, '-');
    CHECK(letters == sequences.records[k].letters);
  }
  CHECK(rows.warnings.empty());
  CHECK(sequences.warnings.size() == 1);  // of the gaps
  CHECK_THROWS_AS(api::read_alignment(path + ".missing"), const Error&);
}

TEST_CASE("api given: trimming says what went, and its hints have the words of the interface") {
  api::TrimOptions wanted;
  wanted.max_gaps = 0.5;
  const api::Trimmed trimmed = api::trim(kRows, wanted);
  CHECK(trimmed.alignment.rows[1].letters == "MKVL-GIVG");
  CHECK(trimmed.complement.rows[0].letters == "A");
  CHECK(trimmed.fates[5] == "gaps");
  CHECK(std::count(trimmed.fates.begin(), trimmed.fates.end(), "kept") == 9);
  wanted.by_row = "d";
  CHECK(hint_of(kRows, wanted) == "by_row takes the first word of a row, or 'first'");
  wanted.by_row = "";
  wanted.max_row_gaps = 0;
  CHECK(api::trim(kRows, wanted).rows.size() == 2);
  wanted.max_gaps = 1.5;
  CHECK(hint_of(kRows, wanted) == "use a number of 0 to 1, such as 0.5");
}

TEST_CASE("api given: distances are square, and are written as they are") {
  api::DistanceOptions wanted;
  wanted.aligned = true;
  const api::Distances found = api::distances(kRows, wanted);
  REQUIRE(found.values.size() == 9);
  CHECK(found.names == std::vector<std::string>{"a", "b", "c"});
  CHECK(found.values[1] == 0);
  CHECK(found.values[2] == found.values[6]);
  CHECK(found.values[2] > 0);
  CHECK(api::format(found, "pairs").find("a\tb\t0.000000\n") != std::string::npos);
  CHECK_THROWS_AS(api::format(found, "fasta"), const Error&);
  wanted.model = "jc";
  CHECK_THROWS_AS(api::distances(kRows, wanted), const Error&);
}

TEST_CASE("api given: rows keep their places when others are added or merged") {
  const api::Added added = api::add(kRows, {{"d", "MKVLAAGIVGW"}}, true);
  CHECK(added.alignment.rows[1].letters == kRows[1].letters);
  REQUIRE(added.left_out.size() == 1);
  CHECK(added.left_out[0].letters == "W");
  CHECK(added.left_out[0].first == 10);
  CHECK(added.alignment.tracks.empty());
  const api::Alignment merged = api::merge({kRows, {{"d", "MKVLAAGIVG"}, {"e", "MKVLAGGIVG"}}});
  CHECK(merged.rows.size() == 5);
  CHECK_THROWS_AS(api::merge({kRows, kRows}), const Error&);
  CHECK_THROWS_AS(api::merge({kRows}), const Error&);
}

TEST_CASE("api given: tracks of rows and new sequences") {
  const testing::ScratchDirectory directory;
  const std::string track =
      directory.write("t.fa", ">a\nHHHHHEEEEE\n>d\nHHHHHEEEEEC\n>b\nHHHHEEEE\n");
  api::Options options;
  options.named = {{"track", track}, {"track_matrix", "ss3"}, {"track_weight", "1"}};
  const api::Added added = api::add(kRows, {{"d", "MKVLAAGIVGW"}}, true, options);
  REQUIRE(added.alignment.tracks.size() == kRows.size() + 1);
  CHECK(added.alignment.tracks[0] == "HHHHHEEEEE");
  CHECK(added.alignment.tracks.back() == "HHHHHEEEEE");
  CHECK(added.alignment.report.find("\"track\": {") != std::string::npos);
  options.named["track"] = "GR:SS";
  CHECK_THROWS_AS(api::add(kRows, {{"d", "MKVLAAGIVGW"}}, true, options), const Error&);
}

TEST_CASE("api given: codons, confidence and agreement") {
  const api::Codons codons = api::codon({{"a", "ATGAAAGTTTAA"}, {"b", "ATGGTTTAA"}});
  CHECK(codons.alignment.rows[1].letters == "ATG---GTTTAA");
  CHECK(codons.protein.rows[0].letters == "MKV*");
  const api::Alignment judged = api::confidence(kRows);
  CHECK(judged.column_confidence.size() == 10);
  CHECK(std::isnan(judged.residue_confidence[10 + 4]));
  CHECK(judged.mean_confidence > 0.5);
  const api::Agreement agreement = api::compare({kRows, {}}, {kRows, kRows});
  CHECK(agreement.mean == 1);
  CHECK(agreement.columns_by_other.size() == 2);
  CHECK(api::score(kRows, api::Reference{kRows, {}}).total_column == 1);
}

TEST_CASE("api: what structures say of an alignment") {
  const std::string data = source_dir() + "/tests/data/structures/";
  const std::vector<std::string> files = {data + "1orc.pdb", data + "1a8o.pdb"};
  api::Options options;
  options.confidence = true;
  const api::Alignment made = api::align_files(files, options);
  const std::size_t columns = made.rows.front().letters.size();
  CHECK(made.column_lddt.size() == columns);
  const api::StructureFigures figures =
      api::structure_figures(made.rows, files, {true, "mmcif"}, {});
  CHECK(figures.mean_lddt == made.mean_lddt);
  CHECK(figures.mean_lddt > 0.2);
  CHECK(figures.residue_lddt.size() == 2 * columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const bool is_gap = made.rows[0].letters[c] == '-';
    if (is_gap) CHECK(std::isnan(figures.residue_lddt[c]));
  }
  REQUIRE(figures.tm_scores.size() == 1);
  CHECK(figures.tm_scores[0].x == "1orc");
  CHECK(figures.tm_scores[0].aligned > 20);
  CHECK(figures.tm_scores[0].tm_x > 0.1);
  CHECK(figures.superposed.starts_with("data_superposed\n"));
  const api::StructureFigures plain = api::structure_figures(made.rows, files);
  CHECK(plain.tm_scores.empty());
  CHECK(plain.superposed.empty());
  CHECK(std::isnan(api::align_files(files).mean_lddt));
  CHECK_THROWS_AS(api::structure_figures(made.rows, files, {false, "xyz"}, {}), Error);
  CHECK_THROWS_AS(api::structure_figures(made.rows, {files[0]}), Error);
}
