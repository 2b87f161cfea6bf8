// SPDX-License-Identifier: Apache-2.0
#include "method/large/backbone_fit.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "method/large/common_subsequence.hpp"
#include "method/large/representatives.hpp"

namespace accord {
namespace {

/// Common subsequences of members, each as it is and from its end to its beginning.
class MembersBothWays {
 public:
  MembersBothWays(const SequenceSet& set, std::span<const std::uint32_t> members) {
    for (const std::uint32_t x : members) {
      const std::span<const std::uint8_t> codes = set.coded().codes(x);
      forward_.emplace_back(codes, symbol_count(set.type()));
      const std::vector<std::uint8_t> reversed(codes.rbegin(), codes.rend());
      backward_.emplace_back(reversed, symbol_count(set.type()));
    }
  }

  double likeness_of(std::span<const std::uint8_t> codes,
                     std::vector<std::uint64_t>& scratch) const {
    const double related = largest_similarity(forward_, codes, scratch);
    const double unrelated = largest_similarity(backward_, codes, scratch);
    return unrelated < 1 ? std::max(0.0, related - unrelated) / (1 - unrelated) : 1;
  }

 private:
  static double largest_similarity(const std::vector<CommonSubsequence>& patterns,
                                   std::span<const std::uint8_t> codes,
                                   std::vector<std::uint64_t>& scratch) {
    const auto length = static_cast<std::uint32_t>(codes.size());
    double largest = 0;
    for (const CommonSubsequence& pattern : patterns) {
      const std::uint32_t common = pattern.with(codes, scratch);
      largest = std::max(largest, similarity_of(common, pattern.length(), length));
    }
    return largest;
  }

  std::vector<CommonSubsequence> forward_, backward_;  // [member]
};

}  // namespace

std::string to_string(const BackboneFit& fit) {
  return std::to_string(fit.far) + " of " + counted(fit.sequences, "other sequence") +
         (fit.far == 1 ? " is" : " are") +
         formatted(" far from all of its members, median likeness %.2f", fit.likeness);
}

BackboneFit backbone_fit(const SequenceSet& set, std::span<const std::uint32_t> members) {
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(distinct_sequences(set), members, std::back_inserter(others));
  const std::vector<std::uint32_t> some = select_representatives(set, others, kFitSequences);
  if (some.empty()) return {};
  const MembersBothWays patterns(set, members);
  std::vector<double> likeness(some.size());
  std::vector<std::vector<std::uint64_t>> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(some.size(), [&](std::size_t k, int thread) {
    likeness[k] =
        patterns.likeness_of(set.coded().codes(some[k]), scratch[static_cast<std::size_t>(thread)]);
  });
  std::ranges::sort(likeness);
  BackboneFit fit;
  fit.sequences = some.size();
  fit.far =
      static_cast<std::size_t>(std::ranges::lower_bound(likeness, kFarLikeness) - likeness.begin());
  fit.likeness = likeness[likeness.size() / 2];
  return fit;
}

}  // namespace accord
