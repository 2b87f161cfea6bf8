// SPDX-License-Identifier: Apache-2.0
#include "run/estimate/output_size.hpp"

#include <doctest/doctest.h>

#include "base/log.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Rows with one residue each, the first of which is at the left.
AlignmentText sparse_rows(std::size_t count, std::uint32_t columns) {
  AlignmentText text;
  text.columns = columns;
  text.rows = GappedRows(columns);
  for (std::size_t r = 0; r < count; ++r) {
    text.headers.push_back("r" + std::to_string(r));
    text.names.push_back(text.headers.back());
    const std::vector<std::uint32_t> column = {static_cast<std::uint32_t>(r) % columns};
    text.rows.add("A", column);
  }
  return text;
}

}  // namespace

TEST_CASE("output size: the text of a format, to within the ends of its lines") {
  const AlignmentText text = sparse_rows(50, 4000);
  using enum AlignmentFormat;
  for (const AlignmentFormat format : {fasta, phylip, a2m, a3m}) {
    CAPTURE(format_name(format));
    const OutputSize size = output_size(text, format);
    const auto written = static_cast<double>(format_alignment(text, format, 0).size());
    CHECK(size.rows == 50);
    CHECK(size.columns == 4000);
    CHECK(size.residues == 50);
    CHECK(size.bytes <= written);
    CHECK(written - size.bytes < 50 * 4 + 20);
  }
}

TEST_CASE("output size: a wide alignment is told of, in formats with a letter for each gap") {
  const AlignmentText wide = sparse_rows(2000, 1000000), narrow = sparse_rows(2000, 1000);
  const auto reported = [](const AlignmentText& text, AlignmentFormat format) {
    const WarningScope scope;
    say_size(text, "out", format, "more");
    return scope.warnings();
  };
  CHECK(reported(narrow, AlignmentFormat::fasta).empty());
  CHECK(reported(wide, AlignmentFormat::a3m).empty());
  for (const AlignmentFormat format : {AlignmentFormat::fasta, AlignmentFormat::stockholm}) {
    const std::vector<Warning> warnings = reported(wide, format);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].text ==
          "the alignment is wide: 2000 rows of 1000000 columns, 100.0 % gaps: about 1.9 GiB as " +
              std::string(format_name(format)));
    CHECK(warnings[0].hint == narrower_formats() + "; more");
  }
}

TEST_CASE("output size: what is large without gaps is not wide") {
  CHECK(is_wide({1000000, 21000, 150e6, 21e9}));
  CHECK_FALSE(is_wide({1000000, 21000, 15e9, 21e9}));
  CHECK_FALSE(is_wide({1000, 21000, 150e3, 21e6}));
}

TEST_CASE("output size: diverse families become as wide as simulated ones") {
  CHECK(diverse_size(1000000, 150e6, 200).columns == doctest::Approx(21000).epsilon(0.33));
  CHECK(diverse_size(20000, 3e6, 197).columns == doctest::Approx(3779).epsilon(0.33));
  CHECK(diverse_size(800, 120e3, 190).columns == doctest::Approx(519).epsilon(0.33));
  CHECK(diverse_size(0, 0, 0).columns == 0);
  CHECK(diverse_size(100, 15000, 150).bytes == 100 * diverse_size(100, 15000, 150).columns);
}
