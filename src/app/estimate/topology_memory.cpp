// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/topology_memory.hpp"

#include "accord/base/error.hpp"
#include "app/estimate/estimate.hpp"
#include "base/parallel.hpp"
#include "stages/local_fit/call.hpp"

namespace accord {

void check_topology_memory(const LikelihoodInput& input, std::uint32_t regraft_radius,
                           std::optional<std::size_t> budget, const std::string& label) {
  if (!budget) return;
  const SitePatterns& patterns = input.found.patterns;
  const auto limit = static_cast<double>(*budget);
  const auto bytes = [&](int threads) {
    return local_fit_bytes(patterns, input.model.categories, threads, regraft_radius);
  };
  const double need = bytes(thread_count());
  if (need <= limit) return;
  const double least = bytes(1);
  throw Error(
      ErrorKind::out_of_memory,
      label + ": interchanges in a tree of " + std::to_string(patterns.tips) + " sequences with " +
          std::to_string(patterns.count()) + " patterns need about " + format_bytes(need) +
          "; the limit is " + format_bytes(limit),
      (least <= limit ? "{threads=1} needs " + format_bytes(least) + "; or " : std::string()) +
          "raise {memory}");
}

}  // namespace accord
