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

/// A finished run on given alignments, of accord add or accord merge.
struct GivenRun {
  std::string command;
  const GivenAlignments& given;
  const AlignSettings& settings;
  /// Whether the alignment has the given columns only. Other residues are left out, except in A2M
  /// and A3M.
  bool keeps_columns;
  const CombinedAlignment& combined;
  const DeviceUse& use;
  const CostMeter& meter;
};

/// The report of such a run as JSON; report_schema() describes it.
std::string format_report(const GivenRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

}  // namespace accord
