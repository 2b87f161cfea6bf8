// SPDX-License-Identifier: Apache-2.0
// Sequences that are placed a second time in a large family.
#include "method/large/uncertain_placements.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "engine/host/host_backend.hpp"
#include "method/large/insertions.hpp"
#include "method/large/large_family.hpp"
#include "support/align_cases.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const AlignSettings kSettings = make_settings({}, ResidueType::protein);
const LargeEffort kEffort = large_effort(Effort::normal);

std::vector<PlacedSequence> placed_with(const std::vector<float>& accuracies) {
  std::vector<PlacedSequence> placed(accuracies.size());
  for (std::size_t k = 0; k < placed.size(); ++k) placed[k].accuracy = accuracies[k];
  return placed;
}

/// Rows side by side without gaps.
AlignedPart ungapped(const SequenceSet& set, std::vector<std::uint32_t> members) {
  AlignedPart part;
  part.msa = side_by_side(set.subset(members));
  part.members = std::move(members);
  return part;
}

}  // namespace

TEST_CASE("uncertain: the least accurate ones, an eighth of all at most") {
  constexpr float kSure = kUncertainAccuracy;
  std::vector<float> accuracy(24, kSure);
  CHECK(uncertain_placements(placed_with(accuracy)).empty());
  accuracy[20] = 0.1f;
  accuracy[3] = 0.3f;
  CHECK(uncertain_placements(placed_with(accuracy)) == std::vector<std::size_t>{3, 20});
  // Of equally uncertain ones the first are taken.
  accuracy[7] = accuracy[11] = 0.3f;
  CHECK(uncertain_placements(placed_with(accuracy)) == std::vector<std::size_t>{3, 7, 20});
  accuracy[9] = 0.0f;
  CHECK(uncertain_placements(placed_with(accuracy)) == std::vector<std::size_t>{3, 9, 20});
  CHECK(uncertain_placements(placed_with(std::vector<float>(7, 0.0f))).empty());
  CHECK(uncertain_placements({}).empty());
}

TEST_CASE("uncertain: how accurately a sequence is placed") {
  SequenceGenerator random(31);
  const Codes root = random.background(60);
  const SequenceSet set =
      make_set({root, random.mutate(root, 0.9, 0, 0), random.background(60), {}});
  const std::uint32_t backbone = static_cast<std::uint32_t>(set.from_input(0));
  const AlignedPart part = ungapped(set, {backbone});
  std::vector<std::uint32_t> others;
  for (const std::size_t k : {1u, 2u, 3u}) {
    others.push_back(static_cast<std::uint32_t>(set.from_input(k)));
  }
  HostBackend host;
  Scheduler scheduler(host);
  const auto placed = place_sequences({set, kSettings.parameters}, part, others,
                                      nearest_members(set, others, part.members, 1, nullptr), {},
                                      scheduler, nullptr);
  CHECK(placed[0].accuracy > 0.9f);
  CHECK(placed[0].accuracy <= 1.0f);
  CHECK(placed[1].accuracy < kUncertainAccuracy);
  CHECK(placed[1].accuracy >= 0.0f);
  CHECK(placed[2].accuracy == 1.0f);  // nothing that could be in doubt
}

TEST_CASE("uncertain: a sure sequence is placed with the first few, an unsure one with all") {
  SequenceGenerator random(33);
  const Codes root = random.background(60);
  std::vector<Codes> codes;
  for (int k = 0; k < 20; ++k) codes.push_back(random.mutate(root, 0.8, 0, 0));
  codes.push_back(random.mutate(codes[4], 0.95, 0, 0));
  codes.push_back(random.background(60));
  const SequenceSet set = make_set(codes);
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(set.from_input(k)); };
  std::vector<std::uint32_t> members;
  for (std::size_t k = 0; k < 20; ++k) members.push_back(at(k));
  std::ranges::sort(members);
  const AlignedPart part = ungapped(set, members);
  const std::vector<std::uint32_t> others = {at(20), at(21)};
  const NearestMembers nearest = nearest_members(set, others, part.members, 20, nullptr);
  const NearestMembers first =
      nearest_members(set, others, part.members, kEffort.first_members, nullptr);
  HostBackend host;
  Scheduler scheduler(host);
  const PosteriorFamily family(set, kSettings.parameters);
  const auto placed =
      place_sequences(family, part, others, nearest, {true, kEffort}, scheduler, nullptr);
  const auto with_few = place_sequences(family, part, others, first, {true}, scheduler, nullptr);
  const auto with_all = place_sequences(family, part, others, nearest, {true}, scheduler, nullptr);
  CHECK(with_few[0].accuracy >= kEffort.sure_accuracy);
  CHECK(with_few[1].accuracy < kEffort.sure_accuracy);
  const auto is_equal = [](const PlacedSequence& a, const PlacedSequence& b) {
    const auto evidence = [](const PlacedResidue& r) { return std::pair(r.pairs, r.units); };
    return a.column == b.column && a.accuracy == b.accuracy && a.nearest == b.nearest &&
           std::ranges::equal(a.residues, b.residues, {}, evidence, evidence);
  };
  CHECK(is_equal(placed[0], with_few[0]));
  CHECK(is_equal(placed[1], with_all[1]));
  CHECK_FALSE(is_equal(placed[0], with_all[0]));
  CHECK_FALSE(is_equal(placed[1], with_few[1]));
}

TEST_CASE("uncertain: the progress of both steps together is that of the first") {
  struct Listener : ProgressListener {
    void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t work) override {
      all = work;
    }
    void advance(std::uint64_t items, std::uint64_t work) override {
      const std::lock_guard lock(mutex);
      reported += work;
      if (items > 0) at_items.push_back(reported);
    }
    std::mutex mutex;
    std::uint64_t all = 0, reported = 0;
    std::vector<std::uint64_t> at_items;  // what was told when a sequence was done
  };
  SequenceGenerator random(34);
  const Codes root = random.background(60);
  std::vector<Codes> codes;
  for (int k = 0; k < 20; ++k) codes.push_back(random.mutate(root, 0.8, 0, 0));
  codes.push_back(random.mutate(codes[4], 0.95, 0, 0));
  for (int k = 0; k < 3; ++k) codes.push_back(random.background(60));
  const SequenceSet set = make_set(codes);
  std::vector<std::uint32_t> members, others;
  for (std::size_t k = 0; k < codes.size(); ++k) {
    (k < 20 ? members : others).push_back(static_cast<std::uint32_t>(set.from_input(k)));
  }
  std::ranges::sort(members);
  HostBackend host;
  Scheduler scheduler(host);
  for (const std::size_t unsure : {0u, 3u}) {
    const std::span<const std::uint32_t> some = std::span(others).first(1 + unsure);
    Listener listener;
    place_sequences({set, kSettings.parameters}, ungapped(set, members), some,
                    nearest_members(set, some, members, 20, nullptr), {false, kEffort}, scheduler,
                    &listener);
    CHECK(listener.all == some.size() * 12 * 60 * 60);
    CHECK(listener.reported <= listener.all);
    CHECK(listener.reported + 200 >= listener.all);  // each call rounds down
    REQUIRE(listener.at_items.size() == some.size());
    // The sure one is done while what the unsure ones need is still to come.
    CHECK(listener.at_items.front() < listener.all);
  }
}

TEST_CASE("uncertain: the core's members of before, and the nearest of the other rows") {
  SequenceGenerator random(32);
  const Codes root = random.background(40);
  std::vector<Codes> codes;
  for (int k = 0; k < 8; ++k) codes.push_back(random.mutate(root, 0.5, 0, 0));
  codes.push_back(random.mutate(codes[6], 0.95, 0, 0));
  const SequenceSet set = make_set(codes);
  const auto at = [&](std::size_t k) { return static_cast<std::uint32_t>(set.from_input(k)); };
  std::vector<std::uint32_t> members, backbone = {at(0), at(1), at(2)};
  for (std::size_t k = 0; k < 8; ++k) members.push_back(at(k));
  std::ranges::sort(members);
  std::ranges::sort(backbone);
  const AlignedPart aligned = ungapped(set, members);
  const std::vector<std::uint32_t> uncertain = {at(8)};
  NearestMembers before;
  before.add(std::array{2u, 0u});
  const Neighbours found = neighbours_of(set, uncertain, aligned, backbone, before);
  CHECK(found.part.members == members);
  CHECK(found.part.msa.columns == aligned.msa.columns);
  CHECK(found.part.msa.column_of == aligned.msa.column_of);
  REQUIRE(found.nearest.most() == 3);
  std::vector<std::uint32_t> near;
  for (const std::uint32_t place : found.nearest.of(0)) near.push_back(members[place]);
  CHECK(near == std::vector<std::uint32_t>{backbone[2], backbone[0], at(6)});
}

TEST_CASE("uncertain: every residue has a column, and the confidence is of all sequences") {
  SequenceGenerator random(33);
  const Codes root = random.background(60);
  std::vector<Codes> codes;
  for (int k = 0; k < 40; ++k) codes.push_back(random.mutate(root, 0.5, 0.01, 0.1));
  for (int k = 0; k < 4; ++k) codes.push_back(random.background(70));
  const SequenceSet set = make_set(codes);
  AlignSettings settings = kSettings;
  settings.confidence = true;
  HostBackend host;
  Scheduler scheduler(host);
  const AlignResult result = align_large_family(set, 10, settings, scheduler);
  REQUIRE(std::ranges::any_of(result.stages,
                              [](const StageRecord& stage) { return stage.name == "uncertain"; }));
  for (std::size_t x = 0; x < set.size(); ++x) {
    const std::vector<std::uint32_t>& row = result.msa.column_of[x];
    CHECK(row.size() == set.length(x));
    CHECK(std::ranges::adjacent_find(row, std::ranges::greater_equal{}) == row.end());
    CHECK(result.confidence->residue[x].size() == row.size());
  }
  CHECK(result.confidence->column.size() == result.msa.columns);
  CHECK(result.tree.leaves == set.size());
}
