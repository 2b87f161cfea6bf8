// SPDX-License-Identifier: Apache-2.0
// Every kernel once on tasks so small that a simulator can run them (scripts/checks/oclgrind.sh),
// in the forms that processors and that GPUs get, against the host bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_opencl.hpp"
#include "support/distances.hpp"
#include "support/pair_matrices.hpp"
#include "support/paths.hpp"
#include "support/random_posteriors.hpp"
#include "support/scratch.hpp"
#include "support/sequences.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

/// Whether a comparison of vectors gives -1 in every lane that is equal. Where both sides are one
/// number in all lanes, LLVM compares once and spreads the bit; Oclgrind 21.10 then extends it
/// to 1.
bool compares_vectors(const ocl::DeviceInfo& device) {
  const ocl::Session session(device);
  cl::Program program(
      session.context,
      "__kernel void equal(__global int *out, int a) { vstore8((int8)(a) == (int8)(0), 0, out); }");
  program.build("-cl-std=CL1.2");
  std::vector<cl_int> found(8, 0);
  const cl::Buffer out = ocl::upload(session, std::span<const cl_int>(found));
  cl::KernelFunctor<cl::Buffer, cl_int>(program, "equal")(cl::EnqueueArgs(session.queue, 1, 1), out,
                                                          0);
  session.queue.enqueueReadBuffer(out, CL_TRUE, 0, found.size() * sizeof found[0], found.data());
  return found == std::vector<cl_int>(8, -1);
}

/// The matrices of a family.
std::vector<SparseMatrix> all_matrices(Backend& backend, const SequenceSet& set,
                                       std::size_t task_bytes) {
  const PosteriorModel model =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  return pair_matrices(backend, protein_contexts().add_to(set.coded()), model, task_bytes);
}

TEST_CASE("small tasks: posteriors in whole tasks and in bands") {
  SequenceGenerator random(31);
  const Codes root = random.background(30);
  std::vector<Codes> family = {{3}, {4, 5}};
  for (int k = 0; k < 3; ++k) family.push_back(random.mutate(root, 0.5, 0.02, 0.0));
  const SequenceSet set = make_set(family);
  HostBackend host;
  const std::vector<SparseMatrix> expected = all_matrices(host, set, SIZE_MAX);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const bool has_vectors = compares_vectors(device);
    CHECK((has_vectors || device.platform == "Oclgrind"));
    for (const std::string layout : {"lanes", "group"}) {
      CAPTURE(layout);
      const ForcedLayout forced(layout);
      OpenClBackend backend(device);
      for (const std::size_t task_bytes : {SIZE_MAX, std::size_t{1}}) {
        const std::vector<SparseMatrix> found = all_matrices(backend, set, task_bytes);
        CHECK((found == expected || (layout == "lanes" && !has_vectors)));
      }
    }
  }
}

TEST_CASE("small tasks: consistency") {
  const std::vector<std::uint32_t> lengths = {19, 17, 9, 8, 1};
  const PosteriorSet set = random_posteriors(32, lengths, 4);
  const std::vector<PairIndex> batch = all_pairs(lengths.size());
  const ConsistencyWeights weights(random_weights(32, lengths.size()), 3.0f, {0, 2, 4});
  HostBackend host;
  const std::vector<SparseMatrix> expected = transformed_by(host, set, batch, weights, 0.01f);
  const ThreadCount scope(1);  // Oclgrind --uninitialized crashes when several threads call OpenCL
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    OpenClBackend backend(device);
    CHECK(transformed_by(backend, set, batch, weights, 0.01f) == expected);
  }
}

void compare_joins(const ocl::DeviceInfo& device, std::span<const DistanceMatrix> matrices,
                   std::uint32_t group_places) {
  HostBackend host;
  const std::vector<GuideTree> expected = join(host, matrices);
  const ocl::Session session(device);
  std::vector<const DistanceMatrix*> pointers;
  for (const DistanceMatrix& matrix : matrices) pointers.push_back(&matrix);
  std::vector<GuideTree> found(matrices.size());
  ocl::NeighborJoiningStage(session, group_places).run(NeighborJoiningCall{pointers, found});
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(same_bytes(expected[k], found[k]));
}

void compare_joins_on_both_kinds(std::uint32_t group_places) {
  Random random(33);
  const std::vector<DistanceMatrix> matrices = {
      DistanceMatrix(2), random_distances(random, 3, 1), random_distances(random, 4, 3),
      random_distances(random, 20, 2), tree_like_distances(random, 24, 100)};
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    compare_joins(device, matrices, group_places);
  }
}

TEST_CASE("small tasks: neighbour joining in one work-group") { compare_joins_on_both_kinds(1000); }

TEST_CASE("small tasks: neighbour joining over the whole device") {
  compare_joins_on_both_kinds(3);
}

// Alone, since Oclgrind --uninitialized takes for a new buffer what it knows of a released one.
TEST_CASE("small tasks: one matrix over the whole device") {
  Random random(34);
  const std::vector<DistanceMatrix> matrices = {random_distances(random, 24, 2)};
  for (const ocl::DeviceInfo& device : devices_to_test()) compare_joins(device, matrices, 3);
}

/// Posteriors with `text` of posteriors/matrices.cl replaced, for scripts/checks/oclgrind.sh: it
/// shows that what it looks for is found. Nobody looks at the results.
void run_wrong_kernel(const std::string& text, const std::string& replacement) {
  const ScratchDirectory directory;
  std::string kernel = file_bytes(source_dir() + "/kernels/posteriors/matrices.cl");
  REQUIRE(kernel.find(text) != kernel.npos);
  kernel.replace(kernel.find(text), text.size(), replacement);
  directory.write("posteriors/matrices.cl", kernel);
  ocl::OpenClSettings settings;
  settings.kernel_directory = directory.path("");
  const SequenceSet set({{"a", "MKVLITRRTG"}, {"b", "MKLITRTG"}}, ResidueType::protein);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device, settings);
    all_matrices(backend, set, SIZE_MAX);
  }
}

TEST_CASE("wrong kernel: a data race" * doctest::skip()) {
  run_wrong_kernel("made->cells[place] =", "made->cells[0] =");
}

TEST_CASE("wrong kernel: unwritten memory" * doctest::skip()) {
  run_wrong_kernel("cell = found[k]", "cell = found[k + 40]");
}

TEST_CASE("wrong kernel: an access out of bounds" * doctest::skip()) {
  run_wrong_kernel("cell = found[k]", "cell = found[k + 100000]");
}

}  // namespace
}  // namespace accord::testing
