// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/likelihood_request.hpp"

#include "accord/base/error.hpp"
#include "engine/backend.hpp"

namespace accord {

void LikelihoodRequest::run(Backend& backend, std::uint32_t memory_parts,
                            std::span<const ItemRange> items) {
  std::vector<LikelihoodTask> tasks;
  for (const ItemRange& range : items) {
    const auto& from = static_cast<LikelihoodRequest*>(range.request)->tasks_;
    for (std::size_t k = range.first; k < range.last; ++k) tasks.push_back(from[k]);
  }
  std::vector<Likelihood> found(tasks.size());
  backend.compute(LikelihoodCall{tasks, found}, memory_parts);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (found[k].sites.size() == tasks[k].patterns.count()) continue;
    throw Error(ErrorKind::device_failed, backend.name() + ": left out a likelihood");
  }
  std::size_t next = 0;
  for (const ItemRange& range : items) {
    auto& to = static_cast<LikelihoodRequest*>(range.request)->results_;
    for (std::size_t k = range.first; k < range.last; ++k) to[k] = std::move(found[next++]);
  }
}

}  // namespace accord
