// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/given_alignments.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"
#include "run/devices/device_choice.hpp"
#include "run/report/report.hpp"

namespace accord {

/// A run on given alignments: accord add or accord merge.
struct GivenRun {
  std::string command;
  const GivenAlignments& given;
  const AlignSettings& settings;
  /// Residues that stand in no given column are left out, but of a2m and a3m.
  bool keeps_columns;
  const CombinedAlignment& combined;
  const DeviceUse& use;
  const CostMeter& meter;
};

/// The report of such a run as JSON; report_schema() describes it.
std::string format_report(const GivenRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

}  // namespace accord
