// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "method/align_result.hpp"

namespace accord {

/// The state of a family at the end of a batch. A complete family was aligned by an earlier run.
enum class FamilyStatus { aligned, complete, failed, not_started };

/// "aligned", "complete", "failed" or "not started".
const char* to_string(FamilyStatus status);

/// The result of a family of a batch. The numbers of sequences and columns are 0 until they are
/// known; they stay 0 for a complete family, whose sequences are not parsed again.
struct FamilyOutcome {
  FamilyStatus status = FamilyStatus::not_started;
  std::size_t sequences = 0;
  std::size_t columns = 0;
  /// The confidence of the alignment, in [0, 1]; NaN: not computed.
  double confidence = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0;  ///< from the start of its alignment, including later waits for others
  std::string input_sha256, output_sha256;  ///< of the bytes of the files; empty: not computed
  FamilyFacts facts;                        ///< of an aligned family
  /// For the report of a family with tracks: names of settings (see reported_input_fields) and
  /// their values.
  std::vector<std::pair<std::string, std::string>> track_settings;
  std::string error;  ///< the message of a failed family
};

/// The number of outcomes that have a status.
std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status);

/// Formats the outcomes and the time of a batch as a line: "12 families: 10 aligned, 2 failed,
/// 3.1 s".
std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds);

}  // namespace accord
