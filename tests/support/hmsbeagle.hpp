// SPDX-License-Identifier: Apache-2.0
// Likelihoods of libhmsbeagle (Ayres et al. 2012, Syst Biol 61:170).
#pragma once
#include <libhmsbeagle/beagle.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord::testing {

/// A task on the processor, as an instance of the library, in the precision of the task.
class BeagleTask {
 public:
  explicit BeagleTask(const LikelihoodTask& task, long flags = BEAGLE_FLAG_VECTOR_NONE,
                      bool scales = true, int threads = 1)
      : task_(task), scales_(scales) {
    const auto& [patterns, process, tree, lengths, derivatives, precision] = task;
    const int nodes = static_cast<int>(tree.nodes()), states = static_cast<int>(process.states);
    BeagleInstanceDetails details;
    int processor = 0;
    instance_ = beagleCreateInstance(
        static_cast<int>(tree.leaves), nodes, 0, states, static_cast<int>(patterns.count()), 1,
        nodes, static_cast<int>(process.rates.size()), nodes + 1, &processor, 1,
        BEAGLE_FLAG_PROCESSOR_CPU | flags,
        (precision == Precision::float32 ? BEAGLE_FLAG_PRECISION_SINGLE
                                         : BEAGLE_FLAG_PRECISION_DOUBLE) |
            (threads > 1 ? BEAGLE_FLAG_THREADING_CPP : BEAGLE_FLAG_THREADING_NONE),
        &details);
    if (instance_ < 0) throw std::runtime_error("libhmsbeagle: no instance");
    name_ = details.implName;
    if (threads > 1) beagleSetCPUThreadCount(instance_, threads);
    for (std::size_t tip = 0; tip < tree.leaves; ++tip) set_tip(tip);
    std::vector<double> category_weights;  // of sites that change
    for (const double weight : process.weights) {
      category_weights.push_back(weight / (1 - process.invariant));
    }
    beagleSetPatternWeights(instance_, patterns.weights.data());
    beagleSetStateFrequencies(instance_, 0, process.frequencies.data());
    beagleSetCategoryWeights(instance_, 0, category_weights.data());
    beagleSetCategoryRates(instance_, process.rates.data());
    beagleSetEigenDecomposition(instance_, 0, process.right.data(), process.left.data(),
                                process.eigenvalues.data());
  }
  BeagleTask(const BeagleTask&) = delete;
  BeagleTask& operator=(const BeagleTask&) = delete;
  ~BeagleTask() { beagleFinalizeInstance(instance_); }

  /// What the library chose.
  const std::string& name() const { return name_; }

  /// The logarithm of the likelihood of each pattern.
  std::vector<double> site_likelihoods() {
    const auto& [patterns, process, tree, lengths, derivatives, precision] = task_;
    const int leaves = static_cast<int>(tree.leaves), root = static_cast<int>(tree.nodes()) - 1;
    std::vector<int> branches, written;
    for (int node = 0; node < root; ++node) branches.push_back(node);
    beagleUpdateTransitionMatrices(instance_, 0, branches.data(), nullptr, nullptr, lengths.data(),
                                   root);
    std::vector<BeagleOperation> operations;
    for (int join = 0; join + leaves <= root; ++join) {
      const int left = static_cast<int>(tree.left[static_cast<std::size_t>(join)]);
      const int right = static_cast<int>(tree.right[static_cast<std::size_t>(join)]);
      operations.push_back({leaves + join, scales_ ? join : BEAGLE_OP_NONE, BEAGLE_OP_NONE, left,
                            left, right, right});
      written.push_back(join);
    }
    beagleUpdatePartials(instance_, operations.data(), static_cast<int>(operations.size()),
                         BEAGLE_OP_NONE);
    int cumulative = scales_ ? static_cast<int>(tree.nodes()) : BEAGLE_OP_NONE;
    if (scales_) {
      beagleResetScaleFactors(instance_, cumulative);
      beagleAccumulateScaleFactors(instance_, written.data(), static_cast<int>(written.size()),
                                   cumulative);
    }
    const int zero = 0;
    double total = 0;
    beagleCalculateRootLogLikelihoods(instance_, &root, &zero, &zero, &cumulative, 1, &total);
    std::vector<double> sites(patterns.count());
    beagleGetSiteLogLikelihoods(instance_, sites.data());
    return sites;
  }

 private:
  void set_tip(std::size_t tip) {
    const SitePatterns& patterns = task_.patterns;
    std::vector<double> partials;
    for (std::size_t c = 0; c < patterns.count(); ++c) {
      for (std::uint32_t s = 0; s < patterns.states; ++s) {
        partials.push_back(patterns.symbols[patterns.code(tip, c)] >> s & 1 ? 1 : 0);
      }
    }
    beagleSetTipPartials(instance_, static_cast<int>(tip), partials.data());
  }

  const LikelihoodTask& task_;
  bool scales_;
  int instance_;
  std::string name_;
};

/// The logarithm of the likelihood of each pattern, with the invariant sites that the library does
/// not know added.
inline std::vector<double> beagle_site_likelihoods(const LikelihoodTask& task) {
  const SubstitutionProcess& process = task.process;
  std::vector<double> sites = BeagleTask(task).site_likelihoods();
  for (std::size_t c = 0; process.invariant > 0 && c < sites.size(); ++c) {
    double invariant = 0;
    for (std::uint32_t s = 0; s < process.states; ++s) {
      if (task.patterns.common_states(c) >> s & 1) invariant += process.frequencies[s];
    }
    sites[c] =
        std::log(process.invariant * invariant + (1 - process.invariant) * std::exp(sites[c]));
  }
  return sites;
}

}  // namespace accord::testing
