// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/backend.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord {

std::string PosteriorCall::self_test(Backend& tested, Backend& reference) {
  const SelfTestFamily family;
  const auto same_bits = [](const SelfTestFamily::Cells& a, const SelfTestFamily::Cells& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
  };
  constexpr std::size_t kInBands = std::size_t{1} << 20;
  for (const PosteriorModel& model : family.models()) {
    const std::vector<SelfTestFamily::Cells> expected = family.cells(reference, model, SIZE_MAX);
    for (const std::size_t task_bytes : {SIZE_MAX, kInBands}) {
      const std::vector<SelfTestFamily::Cells> found = family.cells(tested, model, task_bytes);
      const std::string where = family.first_difference(
          [&](std::size_t pair) { return same_bits(expected[pair], found[pair]); });
      if (!where.empty()) return "wrong posteriors " + where;
    }
    const auto matrices = family.matrices(reference, model), made = family.matrices(tested, model);
    const std::string where =
        family.first_difference([&](std::size_t pair) { return matrices[pair] == made[pair]; });
    if (!where.empty()) return "wrong matrix of posteriors " + where;
  }
  for (const SelfTestFamily& other : {SelfTestFamily::long_pair(), SelfTestFamily::short_pairs()}) {
    const PosteriorModel& model = other.models().front();
    if (other.matrices(reference, model) != other.matrices(tested, model)) {
      return "wrong posteriors " + other.first_difference([](std::size_t) { return false; });
    }
  }
  return {};
}

}  // namespace accord
