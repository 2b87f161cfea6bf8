// SPDX-License-Identifier: Apache-2.0
// The parts of large families, of adding and of merging.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <string>

#include "engine/host/host_backend.hpp"
#include "io/formats/alignment_text.hpp"
#include "method/align_family.hpp"
#include "method/family_size.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/common_subsequence.hpp"
#include "method/large/insertions.hpp"
#include "method/large/merge_alignments.hpp"
#include "method/large/representatives.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "support/align_cases.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// By the usual dynamic programming.
std::uint32_t common_by_table(const Codes& x, const Codes& y) {
  std::vector<std::uint32_t> row(y.size() + 1, 0);
  for (const std::uint8_t code : x) {
    std::uint32_t diagonal = 0;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = code == y[j - 1] ? diagonal + 1 : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

const AlignSettings kSettings = make_settings({}, ResidueType::protein);

/// Relatives of a root.
SequenceSet relatives(std::size_t count, std::uint64_t seed) {
  SequenceGenerator random(seed);
  const Codes root = random.background(60);
  std::vector<Codes> codes;
  for (std::size_t k = 0; k < count; ++k) codes.push_back(random.mutate(root, 0.6, 0.01, 0.1));
  return make_set(codes);
}

/// The alignment of some sequences of a family.
AlignedPart aligned_part(const SequenceSet& set, std::vector<std::uint32_t> members) {
  HostBackend host;
  Scheduler scheduler(host);
  AlignedPart part;
  part.msa = align_family(set.subset(members), kSettings, scheduler).msa;
  part.members = std::move(members);
  return part;
}

/// The rows of some sequences without the columns that none of them has.
std::vector<std::vector<std::uint32_t>> rows_alone(const Msa& msa,
                                                   const std::vector<std::uint32_t>& members) {
  std::vector<std::uint32_t> column(msa.columns, 0);
  for (const std::uint32_t x : members) {
    for (const std::uint32_t c : msa.column_of[x]) column[c] = 1;
  }
  std::uint32_t columns = 0;
  for (std::uint32_t& c : column) c = c == 0 ? 0 : columns++;
  std::vector<std::vector<std::uint32_t>> rows;
  for (const std::uint32_t x : members) {
    rows.emplace_back();
    for (const std::uint32_t c : msa.column_of[x]) rows.back().push_back(column[c]);
  }
  return rows;
}

PlacedSequence placed(std::vector<std::uint32_t> column) {
  PlacedSequence sequence;
  sequence.column = std::move(column);
  return sequence;
}

}  // namespace

TEST_CASE("large: common subsequences as by the usual table") {
  SequenceGenerator random(3);
  std::vector<std::uint64_t> scratch;
  for (const std::size_t length : {0, 1, 63, 64, 65, 130, 200, 256, 300, 520}) {
    const Codes x = random.background(length);
    const CommonSubsequence pattern(x, symbol_count(ResidueType::protein));
    CHECK(pattern.length() == length);
    for (const std::size_t other : {0, 1, 40, 64, 129, 333}) {
      const Codes y = random.background(other);
      CHECK(pattern.with(y, scratch) == common_by_table(x, y));
    }
    CHECK(pattern.with(x, scratch) == length);
    const Codes relative = length > 0 ? random.relative(x) : x;
    CHECK(pattern.with(relative, scratch) == common_by_table(x, relative));
  }
  CHECK(similarity_of(30, 30, 30) == 1.0);
  CHECK(similarity_of(0, 0, 0) == 0.0);
}

TEST_CASE("large: which families are, and how many sequences their backbone has") {
  AlignSettings settings = kSettings;
  const auto backbone = [&](std::size_t sequences, std::uint32_t length) {
    return backbone_size(std::vector<std::uint32_t>(sequences, length), settings);
  };
  CHECK(backbone(0, 0) == 0);
  CHECK(backbone(kWholeSequences, 100) == kWholeSequences);
  CHECK(backbone(kWholeSequences + 1, 100) == large_effort(Effort::normal).backbone);
  CHECK(backbone(50'000, 2500) == kBackboneResidues / 2500);
  CHECK(backbone(50'000, 5000) == kLeastBackbone);
  CHECK(backbone(40, 50'000) == 40);
  CHECK(backbone(500, 4000) == kLeastBackbone);  // 2e12 cells
  settings.backbone = 7;
  CHECK(backbone(50'000, 700) == 7);
  CHECK(backbone(30, 100) == 30);
  settings.large = LargeFamilies::always;
  CHECK(backbone(30, 100) == 7);
  CHECK(backbone(5, 100) == 5);
  settings.large = LargeFamilies::never;
  CHECK(backbone(50'000, 700) == 50'000);
}

TEST_CASE("large: with how many of the backbone a sequence is aligned") {
  const auto nearest = [](std::size_t sequences, std::uint32_t length, std::size_t backbone) {
    return nearest_count(std::vector<std::uint32_t>(sequences, length), backbone);
  };
  CHECK(nearest(2000, 100, 100) == 100);
  CHECK(nearest(20'000, 150, 100) == 55);
  CHECK(nearest(100'000, 2000, 100) == kLeastNearest);
  CHECK(nearest(100'000, 2000, 7) == 7);
  CHECK(nearest(0, 0, 5) == 5);
}

TEST_CASE("large: representatives, distinct sequences, and the nearest of them") {
  SequenceGenerator random(8);
  const Codes root = random.background(50);
  std::vector<Codes> codes = {root, root, random.background(50), {}};
  for (int k = 0; k < 20; ++k) codes.push_back(random.mutate(root, 0.9, 0, 0));
  const SequenceSet set = make_set(codes);
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  std::set<std::string> letters;
  for (std::size_t x = 0; x < set.size(); ++x) letters.insert(set.letters(x));
  CHECK(distinct.size() == letters.size());
  CHECK(distinct.size() < set.size());
  const auto chosen = select_representatives(set, distinct, 9);
  CHECK(chosen.size() == 9);
  CHECK(std::ranges::is_sorted(chosen));
  CHECK(std::ranges::includes(distinct, chosen));
  CHECK(std::ranges::none_of(chosen, [&](std::uint32_t x) { return set.length(x) == 0; }));
  CHECK(select_representatives(set, distinct, 1000) == distinct);
  // A sequence is nearest to itself, and an unrelated one is last.
  const NearestMembers nearest = nearest_members(set, distinct, distinct, 3, nullptr);
  CHECK(nearest.most() == 3);
  for (std::uint32_t k = 0; k < distinct.size(); ++k) {
    if (set.length(distinct[k]) > 0) CHECK(nearest.of(k).front() == k);
  }
}

TEST_CASE("large: long sequences are among the representatives") {
  SequenceGenerator random(9);
  std::vector<Codes> codes;
  for (int k = 0; k < 6; ++k) codes.push_back(random.background(76));
  for (int k = 0; k < 194; ++k) codes.push_back(random.background(50));
  const SequenceSet set = make_set(codes);
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  REQUIRE(distinct.size() == 200);
  const auto long_ones = [&](std::size_t count) {
    const auto chosen = select_representatives(set, distinct, count);
    CHECK(chosen.size() == count);
    return std::ranges::count_if(chosen, [&](std::uint32_t x) { return set.length(x) == 76; });
  };
  CHECK(long_ones(40) == 6);
  CHECK(long_ones(16) == 4);  // a quarter
  CHECK(long_ones(98) == 6);
  CHECK(long_ones(199) == 6);
  // Of a family with many long ones they are a quarter.
  codes.resize(30);
  for (Codes& one : codes) one = random.background(300);
  for (int k = 0; k < 170; ++k) codes.push_back(random.background(50));
  const SequenceSet other = make_set(codes);
  const auto chosen = select_representatives(other, distinct_sequences(other), 20);
  CHECK(std::ranges::count_if(chosen, [&](std::uint32_t x) { return other.length(x) == 300; }) ==
        5);
}

TEST_CASE("large: what is unlike the rest stands in the backbone, fragments do not") {
  SequenceGenerator random(10);
  const Codes root = random.background(60);
  std::vector<Codes> codes = {{}, random.background(5), random.background(25)};
  for (int k = 0; k < 60; ++k) codes.push_back(random.mutate(root, 0.9, 0, 0));
  for (int k = 0; k < 5; ++k) codes.push_back(random.background(59));
  const SequenceSet set = make_set(codes);
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  for (const std::size_t count : {34u, 40u}) {
    CAPTURE(count);
    const auto backbone = select_backbone(set, distinct, count);
    CHECK(backbone.size() == count);
    CHECK(std::ranges::is_sorted(backbone));
    CHECK(std::ranges::adjacent_find(backbone) == backbone.end());
    const auto with_length = [&](std::uint32_t length) {
      return std::ranges::count_if(backbone,
                                   [&](std::uint32_t x) { return set.length(x) == length; });
    };
    CHECK(with_length(59) == 5);
    CHECK(with_length(25) + with_length(5) + with_length(0) == 0);
  }
  CHECK(select_backbone(set, distinct, distinct.size()) == distinct);
  CHECK(select_backbone(set, distinct, distinct.size() - 1).size() == distinct.size() - 1);
  CHECK(select_backbone(set, distinct, 1).size() == 1);
  CHECK(select_backbone(set, distinct, 0).empty());
}

TEST_CASE("large: a tree with more leaves") {
  const GuideTree tree = two_leaves(0.25f, 0.25f);
  const std::vector<std::uint32_t> members = {1, 4};
  const GuideTree grown =
      attached_tree(tree, members, {{0, 1, 0.2f}, {2, 0, 0.4f}, {3, 0, 0.1f}}, 5);
  CHECK(grown.leaves == 5);
  CHECK(leaves_in_order(grown) == std::vector<std::uint32_t>{1, 3, 2, 4, 0});
  CHECK(grown.length[3] == 0.05f);
  CHECK(grown.length.size() == grown.nodes());
  CHECK(grown.length.back() == 0.0f);
}

TEST_CASE("large: what no column takes is aligned by place") {
  const SequenceSet set({{"a", "ACDE"}, {"b", "AWWWKCDE"}, {"c", "AWWWCDEK"}, {"d", "GGAC"}},
                        ResidueType::protein);
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(set.from_input(k)); };
  const AlignedPart part{{at(0)}, {4, {{0, 1, 2, 3}}}};
  constexpr std::uint32_t kIn = kInserted;
  const std::vector<std::uint32_t> sequences = {at(1), at(2), at(3)};
  const std::vector<PlacedSequence> where = {placed({0, kIn, kIn, kIn, kIn, 1, 2, 3}),
                                             placed({0, kIn, kIn, kIn, 1, 2, 3, kIn}),
                                             placed({kIn, kIn, 0, 1})};
  std::vector<std::string> seen;
  const auto align = [&](const SequenceSet& s) {
    for (std::size_t x = 0; x < s.size(); ++x) seen.push_back(s.letters(x));
    return side_by_side(s);
  };
  CpuBudget cpus(1);
  const Placed combined = with_insertions(set, part, sequences, where, align, cpus);
  CHECK(seen == std::vector<std::string>{"WWWK", "WWW"});
  CHECK(combined.column_of_part == std::vector<std::uint32_t>{2, 7, 8, 9});
  CHECK(combined.msa.columns == 11);
  CHECK(combined.msa.column_of[at(0)] == std::vector<std::uint32_t>{2, 7, 8, 9});
  CHECK(combined.msa.column_of[at(1)] == std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(combined.msa.column_of[at(2)] == std::vector<std::uint32_t>{2, 3, 4, 5, 7, 8, 9, 10});
  CHECK(combined.msa.column_of[at(3)] == std::vector<std::uint32_t>{0, 1, 2, 7});
}

TEST_CASE("add: a copy of a row stands where the row does, given rows stay") {
  const SequenceSet family = relatives(12, 21);
  std::vector<SequenceRecord> records;
  for (std::size_t x = 0; x < family.size(); ++x) {
    records.push_back({"row" + std::to_string(x), family.letters(x)});
  }
  for (std::size_t x = 0; x < 3; ++x)
    records.push_back({"copy" + std::to_string(x), family.letters(x)});
  const SequenceSet set(std::move(records), ResidueType::protein);
  std::vector<std::uint32_t> given;
  for (std::size_t k = 0; k < 12; ++k)
    given.push_back(static_cast<std::uint32_t>(set.from_input(k)));
  std::ranges::sort(given);
  AlignedPart part = aligned_part(set, given);
  part.msa.columns += 2;  // empty ones are columns as well
  HostBackend host;
  Scheduler scheduler(host);
  AlignSettings settings = kSettings;
  settings.confidence = true;
  const CombinedAlignment added = add_sequences(set, part, settings, scheduler);
  CHECK(std::ranges::count(added.is_given_column, true) == part.msa.columns);
  CHECK(rows_alone(added.msa, given) == part.msa.column_of);
  for (std::size_t x = 0; x < 3; ++x) {
    CHECK(added.msa.column_of[set.from_input(12 + x)] == added.msa.column_of[set.from_input(x)]);
  }
  // Each copy is paired with the twelve rows, and with nothing else.
  REQUIRE(added.confidence.has_value());
  CHECK(added.confidence->mean > 0.0);
  std::uint64_t pairs = 0;
  for (const std::uint32_t x : given) {
    CHECK(std::ranges::all_of(added.confidence->residue[x], [](float p) { return p != p; }));
    for (const std::uint32_t c : added.msa.column_of[x]) {
      for (std::size_t k = 12; k < 15; ++k) {
        pairs += std::ranges::binary_search(added.msa.column_of[set.from_input(k)], c);
      }
    }
  }
  CHECK(added.confidence->pairs == pairs);
  for (std::size_t k = 12; k < 15; ++k) {
    for (const float p : added.confidence->residue[set.from_input(k)]) CHECK(p >= 0.0f);
  }
}

TEST_CASE("add: progress is told in cells, each once, also before a sequence is placed") {
  struct Listener : ProgressListener {
    struct Stage {
      std::uint64_t items, work, items_reported = 0, work_reported = 0, work_before_items = 0;
    };
    void begin(const std::string& name, const std::string&, std::uint64_t items,
               std::uint64_t work) override {
      stage = &stages.emplace(name, Stage{items, work}).first->second;
    }
    void advance(std::uint64_t items, std::uint64_t work) override {
      const std::lock_guard lock(mutex);
      stage->items_reported += items;
      stage->work_reported += work;
      if (stage->items_reported == 0) stage->work_before_items = stage->work_reported;
    }
    std::map<std::string, Stage> stages;
    Stage* stage = nullptr;
    std::mutex mutex;
  };
  const SequenceSet set = relatives(15, 22);
  std::vector<std::uint32_t> given(12);
  std::iota(given.begin(), given.end(), 0u);
  HostBackend host;
  Scheduler scheduler(host);
  Listener listener;
  add_sequences(set, aligned_part(set, given), kSettings, scheduler, {.progress = &listener});
  for (const char* name : {"nearest", "place"}) {
    CAPTURE(name);
    REQUIRE(listener.stages.contains(name));
    const Listener::Stage& stage = listener.stages.at(name);
    CHECK(stage.items == 3);
    CHECK(stage.items_reported == 3);
    CHECK(stage.work >= 3 * 12 * 20 * 20);
    CHECK(stage.work_reported == stage.work);
    CHECK(stage.work_before_items > 0);
  }
}

TEST_CASE("merge: blocks stay as they are, whatever their order") {
  const SequenceSet set = relatives(15, 4);
  std::vector<AlignedPart> parts;
  for (std::uint32_t p = 0; p < 3; ++p) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t x = p; x < set.size(); x += 3) members.push_back(x);
    parts.push_back(aligned_part(set, members));
  }
  HostBackend host;
  Scheduler scheduler(host);
  AlignSettings settings = kSettings;
  settings.confidence = true;
  const CombinedAlignment combined = merge_alignments(set, parts, settings, scheduler);
  const Msa& merged = combined.msa;
  for (const AlignedPart& part : parts) {
    CHECK(rows_alone(merged, part.members) == part.msa.column_of);
  }
  // All rows are representatives: the pairs are those of rows from different alignments.
  REQUIRE(combined.confidence.has_value());
  std::uint64_t pairs = 0;
  for (std::uint32_t y = 0; y < set.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (x % 3 == y % 3) continue;
      for (const std::uint32_t c : merged.column_of[x]) {
        pairs += std::ranges::binary_search(merged.column_of[y], c);
      }
    }
  }
  CHECK(combined.confidence->pairs == pairs);
  std::ranges::reverse(parts);
  CHECK(merge_alignments(set, parts, kSettings, scheduler).msa == merged);
  // Relatives are brought together: far fewer columns than side by side.
  std::uint32_t apart = 0;
  for (const AlignedPart& part : parts) apart += part.msa.columns;
  CHECK(merged.columns < apart / 2);
  const std::vector<AlignedPart> one = {aligned_part(set, [&] {
    std::vector<std::uint32_t> all(set.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }())};
  CHECK(merge_alignments(set, one, kSettings, scheduler).msa == one.front().msa);
}
