// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

#include "base/text.hpp"
#include "engine/backend.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {
namespace {

/// Few different distances, so that ties decide; the largest is for the whole device.
std::vector<DistanceMatrix> self_test_matrices() {
  SelfTestNumbers numbers;
  std::vector<DistanceMatrix> matrices;
  for (const std::uint32_t leaves : {2u, 3u, 17u, 260u, 1100u}) {
    DistanceMatrix& matrix = matrices.emplace_back(leaves);
    for (std::uint32_t y = 1; y < leaves; ++y) {
      for (std::uint32_t x = 0; x < y; ++x) {
        const std::uint32_t near = x / 8 == y / 8 ? 0 : 32;
        matrix.set(x, y, static_cast<float>(16 + near + numbers.below(16)) / 64.0f);
      }
    }
  }
  return matrices;
}

}  // namespace

std::vector<GuideTree> join(Backend& backend, std::span<const DistanceMatrix> matrices) {
  std::vector<const DistanceMatrix*> pointers;
  for (const DistanceMatrix& matrix : matrices) pointers.push_back(&matrix);
  std::vector<GuideTree> trees(matrices.size());
  backend.compute(NeighborJoiningCall{pointers, trees});
  return trees;
}

std::string NeighborJoiningCall::self_test(Backend& tested, Backend& reference) {
  const std::vector<DistanceMatrix> matrices = self_test_matrices();
  const std::vector<GuideTree> expected = join(reference, matrices), found = join(tested, matrices);
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    if (same_bytes(expected[k], found[k])) continue;
    return "wrong guide tree of " + counted(matrices[k].size(), "sequence");
  }
  return {};
}

}  // namespace accord
