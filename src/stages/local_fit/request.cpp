// SPDX-License-Identifier: Apache-2.0
#include "stages/local_fit/request.hpp"

#include "accord/base/error.hpp"
#include "engine/backend.hpp"

namespace accord {

double LocalFitRequest::work(std::size_t item) const {
  constexpr double kEvaluations = 20;  // of a likelihood: four a sweep, the others for interchanges
  const LocalFitTask& task = tasks_[item];
  return kEvaluations * work_of({task.patterns, task.process, task.tree, task.lengths, false});
}

void LocalFitRequest::run(Backend& backend, std::uint32_t memory_parts,
                          std::span<const ItemRange> items) {
  for (const ItemRange& range : items) {
    const std::size_t count = range.last - range.first;
    backend.compute(LocalFitCall{tasks_.subspan(range.first, count),
                                 std::span(results_).subspan(range.first, count)},
                    memory_parts);
    for (std::size_t k = range.first; k < range.last; ++k) {
      if (results_[k].lengths.size() == tasks_[k].lengths.size()) continue;
      throw Error(ErrorKind::device_failed, backend.name() + ": left out a local fit");
    }
  }
}

}  // namespace accord
