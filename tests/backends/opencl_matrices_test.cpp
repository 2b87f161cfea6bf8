// SPDX-License-Identifier: Apache-2.0
// Matrices and expected accuracies of every OpenCL device against those of the host.
#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "stages/posteriors/posterior_opencl.hpp"
#include "support/sequences.hpp"

namespace accord::testing {
namespace {

/// A matrix and its expected accuracy.
using Made = std::pair<SparseMatrix, std::uint64_t>;
using PairMatricesMade = std::map<std::pair<std::uint32_t, std::uint32_t>, Made>;

PosteriorModel protein_model() {
  return build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
}

/// The matrices of all pairs. `known`: how many came with their expected accuracy.
PairMatricesMade all_matrices(Backend& backend, const SequenceSet& set, const PosteriorModel& model,
                              std::size_t& known) {
  PairMatricesMade made;
  std::mutex mutex;
  const PosteriorSink sink = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    const std::uint64_t accuracy = expected_accuracy(pair.matrix);
    const std::lock_guard lock(mutex);
    known += pair.accuracy.has_value();
    CHECK(made.emplace(std::pair(x, y),
                       Made(std::move(pair.matrix), pair.accuracy ? *pair.accuracy : accuracy))
              .second);
  };
  const std::vector<PairBlock> blocks = plan_pair_blocks(set.lengths());
  backend.compute(PosteriorCall{protein_contexts().add_to(set.coded()), blocks, model, sink});
  return made;
}

/// On the host and on each device in each layout. `are_made`: the group layout makes the matrices.
void compare_with_host(const std::vector<Codes>& sequences, const PosteriorModel& model,
                       bool are_made) {
  const SequenceSet set = make_set(sequences);
  HostBackend host;
  std::size_t known = 0;
  const PairMatricesMade expected = all_matrices(host, set, model, known);
  CHECK(known == 0);
  for_each_layout([&](OpenClBackend& backend, const std::string& layout) {
    known = 0;
    CHECK(all_matrices(backend, set, model, known) == expected);
    CHECK(known == (are_made && layout == "group" ? expected.size() : 0));
  });
}

TEST_CASE("matrices: relatives of many lengths") {
  SequenceGenerator random(21);
  const Codes root = random.background(150);
  std::vector<Codes> family = {{3}, {4}, random.background(31), random.background(260)};
  for (int k = 0; k < 12; ++k) family.push_back(random.mutate(root, 0.4, 0.02, 0.3));
  PosteriorModel model = protein_model();
  compare_with_host(family, model, true);
  model.calibration = {};
  compare_with_host(family, model, true);
}

TEST_CASE("matrices: rows of more cells than a work-group has items, and rows of none") {
  SequenceGenerator random(22);
  const Codes unit = random.background(3), other = random.background(70);
  Codes repeats;
  for (int k = 0; k < 60; ++k) repeats.insert(repeats.end(), unit.begin(), unit.end());
  Codes between = other;
  between.insert(between.begin() + 40, repeats.begin(), repeats.begin() + 90);
  PosteriorModel model = protein_model();
  for (const float cutoff : {0.01f, 0.0001f}) {
    model.tables.cutoff = cutoff;
    compare_with_host({repeats, between, Codes(120, unit[0]), other, Codes(75, unit[0])}, model,
                      true);
  }
}

TEST_CASE("matrices: cells that are left out are the host's work") {
  SequenceGenerator random(23);
  const Codes root = random.background(90);
  const std::vector<Codes> family = {root, random.relative(root), random.background(60)};
  PosteriorModel model = protein_model();
  model.tables.cutoff = 1e-6f;  // some round to no unit
  compare_with_host(family, model, false);
}

TEST_CASE("matrices: what the local memory of a work-group is too small for") {
  const PosteriorModel model = protein_model();
  const PosteriorSink sink = [](std::uint32_t, std::uint32_t, const PairPosterior&) {};
  const std::vector<PairIndex> pair = {{0, 1}};
  for (const std::size_t length : {6000, 6001}) {
    CodedSequences sequences;
    sequences.append(Codes(7000, 1));
    sequences.append(Codes(length, 1));
    const PosteriorCall call{sequences, {}, model, sink};
    CHECK(ocl::PairMatrices::suits(call, pair) == (length == 6000));
  }
}

}  // namespace
}  // namespace accord::testing
