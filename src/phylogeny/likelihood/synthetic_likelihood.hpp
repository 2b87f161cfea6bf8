// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

/// Sizes of a made-up task.
struct SyntheticSizes {
  std::uint32_t states = 4, tips = 2;  ///< 3 to 63 states; at least two tips
  std::size_t patterns = 1;
  std::uint32_t categories = 2;  ///< categories of rates
  double invariant = 0;          ///< share of invariant sites
};

/// A made-up likelihood task for self-tests and measurements, with all that it refers to; the same
/// on every machine. Its matrices are not those of a process of substitution, which does not matter
/// to the arithmetic.
class SyntheticLikelihood {
 public:
  /// Makes random data from the seed.
  SyntheticLikelihood(const SyntheticSizes& sizes, std::uint64_t seed);

  /// The task, with LikelihoodTask::derivatives as given. This object must outlive the task, which
  /// refers to it.
  LikelihoodTask task(bool derivatives) const {
    return {patterns_, process_, tree_, lengths_, derivatives};
  }

 private:
  SitePatterns patterns_;
  SubstitutionProcess process_;
  GuideTree tree_;
  std::vector<double> lengths_;
};

}  // namespace accord
