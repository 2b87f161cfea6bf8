// SPDX-License-Identifier: Apache-2.0
#include "run/batch/family_outcome.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace accord {

const char* to_string(FamilyStatus status) {
  switch (status) {
    case FamilyStatus::aligned:
      return "aligned";
    case FamilyStatus::complete:
      return "complete";
    case FamilyStatus::failed:
      return "failed";
    case FamilyStatus::not_started:
      return "not started";
  }
  return "";
}

std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [&](const FamilyOutcome& outcome) { return outcome.status == status; }));
}

std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds) {
  std::string text = counted(outcomes.size(), "family", "families") + ": ";
  for (FamilyStatus status : {FamilyStatus::aligned, FamilyStatus::complete, FamilyStatus::failed,
                              FamilyStatus::not_started}) {
    const std::size_t count = count_of(outcomes, status);
    if (count == 0 && status != FamilyStatus::aligned) continue;
    text += std::to_string(count) + " " + to_string(status) + ", ";
  }
  return text + formatted("%.1f s", seconds);
}

}  // namespace accord
