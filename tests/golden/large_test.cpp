// SPDX-License-Identifier: Apache-2.0
// Large families: a golden of the alignment, and the same bytes for devices, threads and orders.
// The golden is written anew with the others, see golden_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "engine/host/host_backend.hpp"
#include "golden/invariance.hpp"
#include "golden/stages.hpp"
#include "io/formats/formats.hpp"
#include "method/align_family.hpp"
#include "method/large/large_family.hpp"
#include "support/align_cases.hpp"
#include "support/hash.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kGolden = source_dir() + "/tests/golden/large.golden";

/// Sixty relatives in two groups, of which one has an insertion, fragments, and copies of some.
std::vector<SequenceRecord> records_of_family() {
  SequenceGenerator random(77);
  const Codes root = random.background(70);
  const Codes other = random.mutate(root, 0.6, 0.01, 0);
  const Codes inserted = random.background(14);
  std::vector<SequenceRecord> records;
  const auto add = [&](const Codes& codes) {
    records.push_back({"s" + std::to_string(records.size()), letters_of(codes)});
  };
  for (int k = 0; k < 60; ++k) {
    Codes codes = random.mutate(k % 2 == 0 ? root : other, 0.5, 0.01, 0.1);
    if (k % 3 == 0 && codes.size() > 30) {
      const Codes segment = random.mutate(inserted, 0.8, 0, 0);
      codes.insert(codes.begin() + 30, segment.begin(), segment.end());
    }
    if (k % 10 == 7) codes.resize(codes.size() / 3);
    add(codes);
    if (k % 15 == 4) add(codes);
  }
  records.push_back({"three", "MKV"});
  records.push_back({"none", ""});
  return records;
}

AlignSettings large_settings() {
  AlignSettings settings = make_settings({}, ResidueType::protein);
  settings.large = LargeFamilies::always;
  settings.backbone = 12;
  settings.confidence = true;
  return settings;
}

/// The alignment in Stockholm, so that its confidence counts too; rows in the order of the tree.
std::string aligned_text(const SequenceSet& set, Backend& backend) {
  Scheduler scheduler(backend);
  const AlignResult result =
      align_sequences(set, large_settings(), plan_family(set, large_settings()), scheduler);
  return format_alignment(
      make_alignment_text(set, result.msa, &*result.confidence, {LetterCase::keep, &result.tree}),
      AlignmentFormat::stockholm);
}

std::string expected_text() {
  HostBackend host;
  const ThreadCount threads(1);
  return aligned_text(SequenceSet(records_of_family(), ResidueType::protein), host);
}

}  // namespace

TEST_CASE("goldens: a large family") {
  Hash hash;
  hash.add(expected_text());
  if (std::getenv("ACCORD_WRITE_GOLDENS") != nullptr) {
    std::ofstream(kGolden, std::ios::binary) << hash.hex() << '\n';
    MESSAGE("wrote ", kGolden);
  }
  CHECK(file_bytes(kGolden) == hash.hex() + "\n");
}

TEST_CASE("invariance: large families, threads and the order of the records") {
  check_threads_and_order(records_of_family(), expected_text(), 3, aligned_text);
}

TEST_CASE("invariance: large families on every OpenCL device") {
  check_devices(SequenceSet(records_of_family(), ResidueType::protein), expected_text(),
                aligned_text);
}

TEST_CASE("large families: every residue has a place, equal sequences the same one") {
  const SequenceSet set(records_of_family(), ResidueType::protein);
  HostBackend host;
  Scheduler scheduler(host);
  const AlignResult result =
      align_sequences(set, large_settings(), plan_family(set, large_settings()), scheduler);
  REQUIRE(result.backbone.has_value());
  CHECK(result.backbone->members.size() == 12);
  CHECK(result.tree.leaves == set.size());
  std::vector<bool> is_used(result.msa.columns, false);
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    const std::vector<std::uint32_t>& row = result.msa.column_of[x];
    REQUIRE(row.size() == set.length(x));
    CHECK(result.confidence->residue[x].size() == row.size());
    CHECK(std::ranges::adjacent_find(row, std::greater_equal<>()) == row.end());
    for (const std::uint32_t c : row) is_used.at(c) = true;
    if (x > 0 && set.letters(x) == set.letters(x - 1)) {
      CHECK(row == result.msa.column_of[x - 1]);
    }
  }
  CHECK(std::ranges::count(is_used, false) == 0);
  // The backbone is aligned as a family of its own; columns of others come between its columns.
  const AlignResult alone =
      align_family(set.subset(result.backbone->members), large_settings(), scheduler);
  for (std::size_t m = 0; m < alone.msa.column_of.size(); ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      const auto pairs = [](const auto& a, const auto& b) {
        std::vector<std::uint32_t> common;
        std::ranges::set_intersection(a, b, std::back_inserter(common));
        return common.size();
      };
      const auto row = [&](std::size_t k) -> const auto& {
        return result.msa.column_of[result.backbone->members[k]];
      };
      CHECK(pairs(row(m), row(n)) == pairs(alone.msa.column_of[m], alone.msa.column_of[n]));
    }
  }
}
