// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "phylogeny/support.hpp"

namespace accord {
namespace {

/// A percentage with one digit after the point, or a share with three.
std::string support_text(SupportKind kind, double support) {
  const bool is_percentage = kind == SupportKind::sh_alrt;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, is_percentage ? 100 * support : support,
                                 std::chars_format::fixed, is_percentage ? 1 : 3);
  return {text, end.ptr};
}

}  // namespace

std::vector<SupportKind> support_kinds(const std::string& list, const std::string& what) {
  std::vector<SupportKind> kinds;
  for (const std::string_view part : split(list, ',')) {
    const std::string word = lower_case(part);
    if (word == "sh-alrt") {
      kinds.push_back(SupportKind::sh_alrt);
    } else if (word == "alrt") {
      kinds.push_back(SupportKind::alrt);
    } else if (word == "abayes") {
      kinds.push_back(SupportKind::abayes);
    } else {
      throw Error(ErrorKind::usage, what + " " + list + ": unknown",
                  "use sh-alrt, alrt or abayes, or several of them with commas between");
    }
  }
  return kinds;
}

std::vector<std::string> support_labels(const TreeWithModel& state, const SitePatterns& patterns,
                                        std::span<const SupportKind> kinds, Scheduler& scheduler) {
  std::vector<std::string> labels(state.tree.nodes());
  const std::vector<std::vector<double>> supports =
      branch_supports(state, patterns, kinds, scheduler);
  for (std::size_t k = 0; k < supports.size(); ++k) {
    for (std::size_t node = 0; node < labels.size(); ++node) {
      if (std::isnan(supports[k][node])) continue;
      if (k > 0) labels[node] += '/';
      labels[node] += support_text(kinds[k], supports[k][node]);
    }
  }
  return labels;
}

}  // namespace accord
