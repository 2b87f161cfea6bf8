// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/families/given_alignments.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"
#include "run/devices/device_use.hpp"
#include "run/report/report.hpp"

namespace accord {

/// A finished run of accord add or accord merge, which combine given alignments.
struct GivenRun {
  std::string command;  ///< "add" or "merge"
  const GivenAlignments& given;
  const AlignSettings& settings;
  /// Whether the output has only the columns of given alignments. Residues in other columns are
  /// then left out, except in A2M and A3M.
  bool keeps_columns;
  const CombinedAlignment& combined;  ///< the result
  const DeviceUse& use;
  const CostMeter& meter;
};

/// Formats the report of a run as JSON, with its rows and written files. report_schema() describes
/// the report.
std::string format_report(const GivenRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

}  // namespace accord
