// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "method/pipeline.hpp"

namespace accord {

/// The state of a family at the end of a batch.
enum class FamilyStatus { aligned, complete, failed, not_started };

/// "aligned", "complete" (by an earlier run), "failed" or "not started".
const char* to_string(FamilyStatus status);

/// The result of a family of a batch.
struct FamilyOutcome {
  FamilyStatus status = FamilyStatus::not_started;
  std::size_t sequences = 0;
  std::size_t columns = 0;
  double confidence = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not computed
  double seconds = 0;  ///< from the start of its alignment, waiting for others included
  std::string input_sha256, output_sha256;  ///< of the bytes of the files of an aligned family
  std::optional<TrackWeight> track;         ///< of an aligned family with tracks
  /// Of a family with tracks, for the report: names of settings (see reported_input_fields) and
  /// their values.
  std::vector<std::pair<std::string, std::string>> track_settings;
  std::string error;  ///< of a failed family
};

/// The number of outcomes that have a status.
std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status);

/// The outcomes in a line: "12 families: 10 aligned, 2 failed, 3.1 s".
std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds);

}  // namespace accord
