// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

#include "engine/backend.hpp"

namespace accord {

std::vector<GuideTree> join(Backend& backend, std::span<const DistanceMatrix> matrices) {
  std::vector<const DistanceMatrix*> pointers;
  for (const DistanceMatrix& matrix : matrices) pointers.push_back(&matrix);
  std::vector<GuideTree> trees(matrices.size());
  backend.compute(NeighborJoiningCall{pointers, trees});
  return trees;
}

}  // namespace accord
