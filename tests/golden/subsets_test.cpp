// SPDX-License-Identifier: Apache-2.0
// Families aligned by subsets: how they are cut, and the same bytes for devices, threads and
// orders.
#include "method/large/subsets.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "golden/invariance.hpp"
#include "io/formats/formats.hpp"
#include "method/align_family.hpp"
#include "method/large/family_plan.hpp"
#include "method/large/large_family.hpp"
#include "method/large/representatives.hpp"
#include "method/large/subset_merging.hpp"
#include "support/align_cases.hpp"
#include "support/sequences.hpp"
#include "support/trees.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Four groups of relatives, with copies of some sequences, a fragment and an empty sequence.
std::vector<SequenceRecord> records_of_groups() {
  SequenceGenerator random(78);
  const Codes root = random.background(70);
  std::vector<SequenceRecord> records;
  const auto add = [&](const Codes& codes) {
    records.push_back({"s" + std::to_string(records.size()), letters_of(codes)});
  };
  for (int group = 0; group < 4; ++group) {
    const Codes ancestor = random.mutate(root, 0.5, 0.02, 0.1);
    for (int k = 0; k < 11; ++k) {
      add(random.mutate(ancestor, 0.8, 0.01, 0.1));
      if (k == 5) records.push_back({"copy" + std::to_string(group), records.back().letters});
    }
  }
  records.push_back({"three", "MKV"});
  records.push_back({"none", ""});
  return records;
}

AlignSettings subset_settings() {
  AlignSettings settings = make_settings({}, ResidueType::protein);
  settings.large = LargeFamilies::subsets;
  settings.backbone = 12;
  settings.confidence = true;
  return settings;
}

AlignResult align(const SequenceSet& set, Backend& backend) {
  Scheduler scheduler(backend);
  const AlignSettings settings = subset_settings();
  return align_sequences(set, settings, plan_family(set, settings), scheduler);
}

/// The alignment in Stockholm, so that its confidence counts too; rows in the order of the tree.
std::string text_of(const SequenceSet& set, Backend& backend) {
  const AlignResult result = align(set, backend);
  return format_alignment(
      make_alignment_text(set, result.msa, &*result.confidence, {LetterCase::keep, &result.tree}),
      AlignmentFormat::stockholm);
}

std::string one_thread_text() {
  HostBackend host;
  const ThreadCount threads(1);
  return text_of(SequenceSet(records_of_groups(), ResidueType::protein), host);
}

/// Checks that the parts have each leaf once, and sizes within the bounds.
void check_parts(const GuideTree& tree, std::size_t most) {
  std::vector<std::uint32_t> count(tree.leaves, 0);
  for (const std::vector<std::uint32_t>& part : parts_of_tree(tree, most)) {
    CHECK(part.size() <= most);
    CHECK(part.size() >= std::min<std::size_t>(tree.leaves, (most + 1) / 3));
    CHECK(std::ranges::is_sorted(part));
    for (const std::uint32_t leaf : part) ++count.at(leaf);
  }
  CHECK(std::ranges::count(count, 1u) == static_cast<std::ptrdiff_t>(tree.leaves));
}

}  // namespace

TEST_CASE("subsets: the parts of a tree have each leaf once, and sizes within bounds") {
  Random random(3);
  for (std::uint32_t leaves = 1; leaves < 200; leaves += 1 + leaves / 8) {
    // Joins of two random roots make trees of any shape.
    GuideTree tree;
    tree.leaves = leaves;
    std::vector<std::uint32_t> roots(leaves);
    for (std::uint32_t k = 0; k < leaves; ++k) roots[k] = k;
    while (roots.size() > 1) {
      std::shuffle(roots.begin(), roots.end(), random);
      tree.left.push_back(roots.back());
      roots.pop_back();
      tree.right.push_back(roots.back());
      roots.back() = tree.nodes() - 1;
    }
    tree.length.assign(tree.nodes(), 1.0);
    for (const std::size_t most : {1, 2, 3, 10, 50, 1000}) {
      CAPTURE(leaves);
      CAPTURE(most);
      check_parts(tree, most);
      check_parts(chain_of_leaves(leaves, 1.0), most);
    }
  }
  CHECK(parts_of_tree({}, 5).empty());
}

TEST_CASE("subsets: the clades of a tree have each leaf once, cut at one height") {
  const GuideTree tree = chain_of_leaves(6, 1.0);
  using Clades = std::vector<std::vector<std::uint32_t>>;
  // The branches have a length of 1, so that each join is higher than the one before.
  CHECK(clades_of_tree(tree, 1) == Clades{{0, 1, 2, 3, 4, 5}});
  CHECK(clades_of_tree(tree, 3) == Clades{{0, 1, 2, 3}, {4}, {5}});
  CHECK(clades_of_tree(tree, 100).size() == 6);
  CHECK(parts_of_tree(tree, 4, std::vector<std::uint32_t>{1, 1, 1, 9, 1, 1}) ==
        Clades{{0, 1, 2}, {3}, {4, 5}});
}

TEST_CASE(
    "subsets: a large family is aligned by subsets where its backbone does not stand for it") {
  // Each sequence is the ancestor of 60 letters after so many random substitutions.
  const auto family = [&](ResidueType type, int changes) {
    const std::string letters = type == ResidueType::protein ? "ACDEFGHIKLMNPQRSTVWY" : "ACGT";
    Random bits(17);
    std::string ancestor;
    for (int k = 0; k < 60; ++k) ancestor += letters[bits() % letters.size()];
    std::vector<SequenceRecord> records;
    for (int k = 0; k < 720; ++k) {
      std::string text = ancestor;
      for (int change = 0; change < changes; ++change) {
        text[bits() % text.size()] = letters[bits() % letters.size()];
      }
      records.push_back({"s" + std::to_string(k), text});
    }
    return SequenceSet(records, type);
  };
  constexpr int kUnrelated = 600;
  const SequenceSet strangers = family(ResidueType::dna, kUnrelated);
  AlignSettings settings = make_settings({}, ResidueType::dna);
  const FamilyPlan plan = plan_family(strangers, settings);
  CHECK(plan.by_subsets);
  REQUIRE(plan.fit.has_value());
  CHECK(plan.fit->sequences == kFitSequences);
  CHECK(3 * plan.fit->far > plan.fit->sequences);
  const FamilyPlan of_relatives = plan_family(family(ResidueType::dna, 6), settings);
  CHECK_FALSE(of_relatives.by_subsets);
  REQUIRE(of_relatives.fit.has_value());
  CHECK(of_relatives.fit->far == 0);
  CHECK(of_relatives.fit->likeness > kUsualLikeness);
  const FamilyPlan of_remote_relatives = plan_family(family(ResidueType::dna, 30), settings);
  CHECK(of_remote_relatives.by_subsets);
  REQUIRE(of_remote_relatives.fit.has_value());
  CHECK(3 * of_remote_relatives.fit->far <= of_remote_relatives.fit->sequences);
  const FamilyPlan of_proteins = plan_family(family(ResidueType::protein, kUnrelated),
                                             make_settings({}, ResidueType::protein));
  CHECK(of_proteins.fit->is_bad());
  CHECK_FALSE(of_proteins.by_subsets);
  settings.backbone = 100;
  CHECK_FALSE(plan_family(strangers, settings).by_subsets);
  settings.backbone = 0;
  settings.large = LargeFamilies::always;
  CHECK_FALSE(plan_family(strangers, settings).by_subsets);
  settings.large = LargeFamilies::never;
  CHECK_FALSE(plan_family(strangers, settings).fit.has_value());
}

TEST_CASE(
    "subsets: every distinct sequence is in one subset, also where the tree is that of a sample") {
  const SequenceSet set(records_of_groups(), ResidueType::protein);
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  HostBackend host;
  Scheduler scheduler(host);
  const auto [subsets, above] = choose_subsets(set, distinct, 12, subset_settings(), scheduler);
  CHECK(above.leaves == subsets.size());
  std::vector<std::uint32_t> all;
  for (const auto& subset : subsets) all.insert(all.end(), subset.begin(), subset.end());
  std::ranges::sort(all);
  CHECK(all == distinct);
  CHECK(subsets.size() >= 4);

  SequenceGenerator random(5);
  std::vector<Codes> codes;
  for (std::size_t k = 0; k < kTreeSequences + 50; ++k) codes.push_back(random.background(30));
  const SequenceSet many = make_set(codes);
  const std::vector<std::uint32_t> among = distinct_sequences(many);
  const GuideTree tree = similarity_tree(many, among);
  CHECK(tree.leaves == among.size());
  CHECK(tree.left.size() + 1 == among.size());
  check_parts(tree, 100);
}

TEST_CASE("subsets: every residue has a place, a subset keeps its alignment") {
  const SequenceSet set(records_of_groups(), ResidueType::protein);
  HostBackend host;
  const AlignResult result = align(set, host);
  CHECK(result.tree.leaves == set.size());
  CHECK(result.tree.left.size() + 1 == set.size());
  std::vector<bool> is_used(result.msa.columns, false);
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    const std::vector<std::uint32_t>& row = result.msa.column_of[x];
    REQUIRE(row.size() == set.length(x));
    CHECK(result.confidence->residue[x].size() == row.size());
    CHECK(std::ranges::adjacent_find(row, std::greater_equal<>()) == row.end());
    for (const std::uint32_t c : row) is_used.at(c) = true;
    if (x > 0 && set.letters(x) == set.letters(x - 1)) CHECK(row == result.msa.column_of[x - 1]);
  }
  CHECK(std::ranges::count(is_used, false) == 0);
  REQUIRE(result.backbone.has_value());
  Scheduler scheduler(host);
  const std::vector<std::uint32_t>& members = result.backbone->members;
  const Msa alone = align_family(set.subset(members), subset_settings(), scheduler).msa;
  for (std::size_t m = 1; m < members.size(); ++m) {
    const auto common = [](const auto& a, const auto& b) {
      std::vector<std::uint32_t> both;
      std::ranges::set_intersection(a, b, std::back_inserter(both));
      return both.size();
    };
    CHECK(common(alone.column_of[m], alone.column_of[0]) ==
          common(result.msa.column_of[members[m]], result.msa.column_of[members[0]]));
  }
}

TEST_CASE("invariance: subsets, threads and the order of the records") {
  check_threads_and_order(records_of_groups(), one_thread_text(), 4, text_of);
}

TEST_CASE("invariance: subsets on every OpenCL device") {
  check_devices(SequenceSet(records_of_groups(), ResidueType::protein), one_thread_text(), text_of);
}

TEST_CASE("subsets: a guide tree from a file is an error") {
  const SequenceSet set(records_of_groups(), ResidueType::protein);
  AlignSettings settings = subset_settings();
  settings.tree = TreeMethod::file;
  settings.tree_file = "family.nwk";
  HostBackend host;
  Scheduler scheduler(host);
  CHECK_THROWS_AS(align_sequences(set, settings, plan_family(set, settings), scheduler), Error);
}
