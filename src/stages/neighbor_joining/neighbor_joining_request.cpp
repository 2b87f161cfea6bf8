// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"

namespace accord {

void NeighborJoiningRequest::run(Backend& backend, std::uint32_t memory_parts,
                                 std::span<const ItemRange> items) {
  std::vector<const DistanceMatrix*> matrices;
  for (const ItemRange& range : items) {
    matrices.push_back(&static_cast<NeighborJoiningRequest*>(range.request)->distances_);
  }
  std::vector<GuideTree> trees(matrices.size());
  backend.compute(NeighborJoiningCall{matrices, trees}, memory_parts);
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (trees[k].leaves == matrices[k]->size()) continue;
    throw Error(ErrorKind::device_failed, backend.name() + ": left out the tree of " +
                                              counted(matrices[k]->size(), "sequence"));
  }
  for (std::size_t k = 0; k < items.size(); ++k) {
    static_cast<NeighborJoiningRequest*>(items[k].request)->tree_ = std::move(trees[k]);
  }
}

GuideTree request_neighbor_joining(const DistanceMatrix& distances, Scheduler& scheduler) {
  NeighborJoiningRequest request(distances);
  scheduler.run(request);
  return request.result();
}

}  // namespace accord
