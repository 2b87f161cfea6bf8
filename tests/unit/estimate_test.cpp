// SPDX-License-Identifier: Apache-2.0
#include "accord/method/estimate.hpp"

#include <doctest/doctest.h>

#include "accord/cli/run_setup.hpp"
#include "accord/host/host_backend.hpp"

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
  const BackendLimits limits = HostBackend().limits();
  const std::uint32_t lanes = limits.narrow_lanes != 0 ? limits.narrow_lanes : limits.lanes;
  CHECK(work.lane_cells == lanes * (30 * 20 + 30 * 10));  // tasks (30, 20) and (30 and 20, 10)
  CHECK(workload_of(family({})).lane_cells == 0);
  CHECK(workload_of(family({0, 0})).task_bytes == 0);
}

TEST_CASE("plan: one estimate of the memory, for a run and for the families of a batch") {
  const Workload work = workload_of(family({300, 280, 250, 200}));
  for (const int threads : {1, 8}) {
    CHECK(estimate_memory(work, {}, kSettings, threads) ==
          program_memory(threads) + family_memory(work, {}, kSettings, threads));
  }
  CHECK(family_memory(work, {}, kSettings, 8) > family_memory(work, {}, kSettings, 1));
  AlignSettings lighter = kSettings;
  lighter.parameters.consistency.rounds = 0;
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
  CHECK(estimate_seconds(work, {}, kSettings, 4) == doctest::Approx(one / 4));
  AlignSettings lighter = kSettings;
  lighter.parameters.consistency.rounds = 0;
  CHECK(estimate_seconds(work, {}, lighter, 1) < one);
  lighter.parameters.refine.iterations = 0;
  CHECK(estimate_seconds(work, {}, lighter, 1) ==
        doctest::Approx(work.lane_cells / Sample{}.lane_cells_per_second));
}
