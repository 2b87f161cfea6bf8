// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/run/topology_memory.hpp"

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "phylogeny/local_fit/local_fit.hpp"
#include "run/estimate/estimate.hpp"

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
  std::string less;
  if (const double least = bytes(1); least <= limit) {
    less += "{threads=1} needs " + format_bytes(least) + "; ";
  }
  const double without = local_fit_bytes(patterns, input.model.categories, thread_count(), 0);
  if (regraft_radius > 0 && without <= limit) {
    less += "without {spr} it needs " + format_bytes(without) + "; ";
  }
  throw Error(ErrorKind::out_of_memory,
              label + (regraft_radius > 0 ? ": regrafts" : ": interchanges") + " in a tree of " +
                  std::to_string(patterns.tips) + " sequences with " +
                  std::to_string(patterns.count()) + " patterns need about " + format_bytes(need) +
                  "; the limit is " + format_bytes(limit),
              less + (less.empty() ? "raise {memory}" : "or raise {memory}"));
}

}  // namespace accord
