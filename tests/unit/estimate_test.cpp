// SPDX-License-Identifier: Apache-2.0
#include "run/estimate/estimate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "accord/base/error.hpp"
#include "base/system.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/posteriors/posterior_plan.hpp"

using namespace accord;

namespace {

SequenceSet family(std::vector<std::size_t> lengths) {
  std::vector<SequenceRecord> records;
  for (const std::size_t length : lengths) {
    records.push_back({"s" + std::to_string(records.size()), std::string(length, 'A')});
  }
  return SequenceSet(std::move(records), ResidueType::protein);
}

const AlignSettings kSettings = make_settings({}, ResidueType::protein);

}  // namespace

TEST_CASE("plan: the work of a family, and of the vector lanes that compute it") {
  const Workload work = workload_of(family({10, 20, 30}));
  CHECK(work.sequences == 3);
  CHECK(work.residues == 60);
  CHECK(work.pairs == 3);
  CHECK(work.cells == 10 * 20 + 10 * 30 + 20 * 30);
  CHECK(work.rows == 20 + 30 + 30);
  const TaskLimits limits = host::task_limits(HostBackend().processor());
  const std::vector<std::uint32_t> lengths = {30, 20, 10};
  CHECK(work.lane_cells == work_of_pairs(lengths, PairSet::all(3), limits).task_cells);
  const std::uint32_t lanes = limits.narrow_lanes != 0 ? limits.narrow_lanes : limits.lanes;
  // At most those of the tasks (30, 20) and (30 and 20, 10) without wavefronts.
  CHECK(work.lane_cells <= lanes * (30 * 20 + 30 * 10));
  CHECK(workload_of(family({})).lane_cells == 0);
  CHECK(workload_of(family({0, 0})).task_bytes == 0);
}

TEST_CASE("plan: the cells of a family by its lengths, whole or large") {
  const std::vector<std::uint32_t> lengths = {10, 30, 20};
  CHECK(predicted_cells(lengths, {}) == workload_of(family({10, 20, 30})).cells);
  CHECK(predicted_cells({}, {}) == 0);
  MethodOptions large;
  large.set("large", "always", "large");
  large.set("backbone", "2", "backbone");  // 1 pair of the backbone, 2 of the third sequence
  CHECK(predicted_cells(lengths, large) == 3 * 20 * 20);
}

TEST_CASE("plan: a sequence is added to a few rows with all of them, to many in two steps") {
  const SequenceSet set = family(std::vector<std::size_t>(1000, 100));
  const LargeEffort effort = large_effort(Effort::normal);
  CHECK(work_of_adding(set, 100, effort).cells == doctest::Approx(900 * 100 * 1e4));
  CHECK(work_of_adding(set, 200, effort).cells == doctest::Approx(800 * (12 + 36 / 5.0) * 1e4));
}

TEST_CASE("plan: a core needs its own memory, and a little for each of the others") {
  AlignSettings large = kSettings;
  large.large = LargeFamilies::always;
  large.backbone = 20;
  const auto need = [&](std::size_t sequences, FamilyOutput output) {
    const SequenceSet set = family(std::vector<std::size_t>(sequences, 100));
    return family_memory(workload_of(set, plan_family(set, large), large.large_effort), {}, large,
                         1, output);
  };
  CHECK(need(20, FamilyOutput::core) < need(20, FamilyOutput::alignment));
  CHECK(need(3000, FamilyOutput::core) - need(1000, FamilyOutput::core) == 2000 * 100 * 9);
  CHECK(need(3000, FamilyOutput::alignment) > 2 * need(3000, FamilyOutput::core));
}

TEST_CASE("plan: subsets need the memory of one of them, the time of all, and are refused alike") {
  const SequenceSet set = family(std::vector<std::size_t>(1000, 100));
  const FamilyPlan by_subsets{1000, 100, std::nullopt, std::nullopt, true};
  const FamilyPlan backbone{1000, 100};
  const LargeEffort effort = large_effort(Effort::normal);
  const Workload work = workload_of(set, by_subsets, effort);
  const Workload one = workload_of(set, backbone, effort);
  CHECK(work.rows == one.rows);
  CHECK(work.sequences == 1000);
  CHECK(work.repeats == doctest::Approx(6.5));
  // The pairs within the subsets, of 200 representatives, and of the rows of 14 to 16 joins.
  CHECK(work.pairs == doctest::Approx(6.5 * 4950 + 80'000 + 1000 / 65.0 * 2500).epsilon(0.01));
  CHECK(work.cells == doctest::Approx(static_cast<double>(work.pairs) * 1e4).epsilon(0.01));
  CHECK(estimate_seconds(work, {}, kSettings, 1) > 2 * estimate_seconds(one, {}, kSettings, 1));
  const std::uint64_t need = estimate_memory(work, worst_case(), kSettings, 1);
  check_memory(set, kSettings, by_subsets, 1, need);
  CHECK_THROWS_AS(check_memory(set, kSettings, by_subsets, 1, std::size_t{20} << 20), Error);
}

TEST_CASE("plan: RNA that may be folded is aligned twice, and folding has its memory") {
  const std::vector<SequenceRecord> records(10, {"r", std::string(300, 'A')});
  const SequenceSet rna(records, ResidueType::rna), dna(records, ResidueType::dna);
  const AlignSettings settings = make_settings({}, ResidueType::rna);
  const LargeEffort effort = large_effort(Effort::normal);
  const Workload of_rna = workload_of(rna, plan_family(rna, settings), effort);
  const Workload of_dna = workload_of(dna, plan_family(dna, settings), effort);
  CHECK(of_rna.folded_cubes == doctest::Approx(10 * 300.0 * 300 * 300));
  CHECK(of_dna.folded_cubes == 0);
  CHECK(estimate_seconds(of_rna, {}, settings, 1) >
        2 * estimate_seconds(of_dna, {}, settings, 1) + 0.5);
  CHECK(family_memory(of_rna, {}, settings, 8) > family_memory(of_dna, {}, settings, 8));
  AlignSettings never = settings;
  never.folds = false;
  CHECK(family_memory(of_rna, {}, never, 8) == family_memory(of_dna, {}, never, 8));
}

TEST_CASE("plan: arithmetic gives the same work as the tasks themselves") {
  std::vector<std::size_t> lengths;
  for (std::size_t k = 0; k < 90; ++k) lengths.push_back(20 + k * k % 371);
  const SequenceSet set = family(lengths);
  double cells = 0;
  std::uint64_t largest_task = 0;
  const std::vector<std::uint32_t> lengths_of_set = set.lengths();
  for (const PairTask& task : plan_pair_tasks(lengths_of_set, plan_pair_blocks(lengths_of_set),
                                              host::task_limits(HostBackend().processor()))) {
    cells += static_cast<double>(task.cells);
    largest_task = std::max(largest_task, task.work_bytes);
  }
  const Workload work = workload_of(set);
  CHECK(work.lane_cells == cells);
  CHECK(work.task_bytes > 0);
  CHECK(work.task_bytes <= static_cast<double>(largest_task));
}

TEST_CASE("plan: a hundred thousand sequences are refused without a list of their pairs") {
  const SequenceSet set = family(std::vector<std::size_t>(100'000, 30));
  const std::size_t before = process_peak_bytes();
  CHECK(workload_of(set).pairs == 4'999'950'000u);
  AlignSettings whole = kSettings;
  whole.large = LargeFamilies::never;
  for (const FamilyOutput output : {FamilyOutput::alignment, FamilyOutput::confidence,
                                    FamilyOutput::tree, FamilyOutput::distances}) {
    CHECK_THROWS_AS(check_memory(set, whole, whole_family(set), 2, std::size_t{8} << 30, output),
                    Error);
  }
  // A backbone with the others around it fits.
  check_memory(set, kSettings, plan_family(set, kSettings), 2, std::size_t{1} << 30);
  const Workload large = workload_of(set, plan_family(set, kSettings), kSettings.large_effort);
  CHECK(large.sequences == 100'000);
  CHECK(large.backbone == 100);
  CHECK(estimate_seconds(large, {}, kSettings, 2) < 120);
  CHECK(process_peak_bytes() < before + (std::size_t{100} << 20));
}

TEST_CASE("plan: three proteins of 400,000 residues are refused in 4 GiB") {
  const SequenceSet set = family({400'000, 400'000, 400'000});
  CHECK(estimate_memory(workload_of(set), worst_case(), kSettings, 1) > std::uint64_t{1} << 32);
  try {
    check_memory(set, kSettings, plan_family(set, kSettings), 1, std::size_t{UINT32_MAX});
    FAIL("more memory than 32 bits can address");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).find("3 sequences, mean length 400000, need about") !=
          std::string::npos);
    CHECK(error.hint().find("such sequences fit") == std::string::npos);  // one pair is too large
  }
}

TEST_CASE("plan: the number of sequences in the hint fits") {
  AlignSettings whole = kSettings;
  whole.large = LargeFamilies::never;
  const std::size_t budget = std::size_t{256} << 20;
  for (const std::size_t length : {300, 3000}) {
    CAPTURE(length);
    const auto check = [&](std::size_t sequences) {
      const SequenceSet some = family(std::vector<std::size_t>(sequences, length));
      check_memory(some, whole, whole_family(some), 2, budget);
    };
    try {
      check(1500);
      FAIL("1500 sequences in 256 MiB");
    } catch (const Error& error) {
      const std::size_t about = error.hint().find("about ");
      REQUIRE(about != std::string::npos);
      const std::size_t fits = std::stoul(error.hint().substr(about + 6));
      CHECK(fits > 2);
      check(fits);
      CHECK_THROWS_AS(check(2 * fits), Error);
    }
  }
}

TEST_CASE("plan: the alignments of an ensemble are in memory together") {
  const SequenceSet set = family(std::vector<std::size_t>(40, 2000));
  Workload work = workload_of(set, plan_family(set, kSettings), kSettings.large_effort);
  const std::size_t one = estimate_memory(work, worst_case(), kSettings, 1);
  check_memory(set, kSettings, plan_family(set, kSettings), 1, one);
  work.alignments = 101;
  CHECK(estimate_memory(work, worst_case(), kSettings, 1) >= one + 100 * 20 * work.residues);
  try {
    check_memory(set, kSettings, plan_family(set, kSettings), 1, one, FamilyOutput::alignment,
                 1000);
    FAIL("1000 alignments in the memory of one");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(error.hint().starts_with("fewer {replicates} need less; "));
  }
}

TEST_CASE("plan: the memory of what is made of a family") {
  const Workload work = workload_of(family(std::vector<std::size_t>(40, 200)));
  const auto memory = [&](const Sample& sample, FamilyOutput output) {
    return family_memory(work, sample, kSettings, 1, output);
  };
  CHECK(worst_case().cells_per_row > Sample{}.cells_per_row);
  // Two sets of matrices, one, none.
  CHECK(memory(worst_case(), FamilyOutput::alignment) > memory({}, FamilyOutput::alignment));
  CHECK(memory({}, FamilyOutput::alignment) > memory({}, FamilyOutput::confidence));
  CHECK(memory(worst_case(), FamilyOutput::confidence) > memory({}, FamilyOutput::confidence));
  CHECK(memory({}, FamilyOutput::confidence) > memory({}, FamilyOutput::distances));
  CHECK(memory(worst_case(), FamilyOutput::distances) == memory({}, FamilyOutput::distances));
  CHECK(memory({}, FamilyOutput::distances) > memory({}, FamilyOutput::tree));
}

TEST_CASE("plan: one estimate of the memory, for a run and for the families of a batch") {
  const Workload work = workload_of(family({300, 280, 250, 200}));
  for (const int threads : {1, 3}) {
    CHECK(estimate_memory(work, {}, kSettings, threads) ==
          program_memory(threads) + family_memory(work, {}, kSettings, threads));
  }
  // Four sequences are three tasks of posteriors.
  CHECK(estimate_memory(work, {}, kSettings, 8) == estimate_memory(work, {}, kSettings, 3));
  CHECK(family_memory(work, {}, kSettings, 8) > family_memory(work, {}, kSettings, 1));
  AlignSettings lighter = kSettings;
  lighter.parameters.consistency.set_rounds(0);
  CHECK(family_memory(work, {}, lighter, 1) < family_memory(work, {}, kSettings, 1));
  AlignSettings heavier = kSettings;
  heavier.confidence = true;
  CHECK(family_memory(work, {}, heavier, 1) > family_memory(work, {}, kSettings, 1));
  const Workload more = workload_of(family({300, 280, 250, 200, 200, 200}));
  CHECK(family_memory(more, {}, kSettings, 1) > family_memory(work, {}, kSettings, 1));
}

TEST_CASE("plan: the time grows with work, rounds and iterations, and is shared by threads") {
  const Workload work = workload_of(family({300, 280, 250, 200}));
  const double one = estimate_seconds(work, {}, kSettings, 1);
  CHECK(one > work.lane_cells / Sample{}.lane_cells_per_second);
  const Workload many = workload_of(family(std::vector<std::size_t>(100, 300)));
  CHECK(estimate_seconds(many, {}, kSettings, 4) ==
        doctest::Approx(estimate_seconds(many, {}, kSettings, 1) / 4));
  AlignSettings lighter = kSettings;
  lighter.parameters.consistency.set_rounds(0);
  CHECK(estimate_seconds(work, {}, lighter, 1) < one);
  lighter.parameters.refine_iterations = 0;
  CHECK(estimate_seconds(work, {}, lighter, 1) ==
        doctest::Approx(work.lane_cells / Sample{}.lane_cells_per_second));
}

TEST_CASE("plan: long pairs, which no more threads make faster, are not made out to be slow") {
  // Two of 30,000 residues took one thread 42 s, nearly all of it for the posteriors.
  const Workload work = workload_of(family({30'000, 30'000}));
  const double posteriors = work.lane_cells / Sample{}.lane_cells_per_second;
  const double one = estimate_seconds(work, {}, kSettings, 1);
  CHECK(one < 1.2 * posteriors);
  CHECK(estimate_seconds(work, {}, kSettings, 8) > posteriors);
  CHECK(sample_family(family({30'000, 30'000}), kSettings).is_measured);
}
