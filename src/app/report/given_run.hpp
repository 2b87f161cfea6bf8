// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/devices/device_choice.hpp"
#include "app/report/report.hpp"
#include "app/report/run_outputs.hpp"
#include "io/given_alignments.hpp"
#include "method/large/combined_alignment.hpp"
#include "method/settings.hpp"

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
  std::function<RunCost()> cost;  ///< up to the moment of the call
};

/// Rows of the page of an alignment that does not fit (fits_page): those that represent it.
constexpr std::size_t kRepresentativePageRows = 1000;

/// Writes the files as those of a run that aligns. A warning says how many residues have no column.
/// Throws  as OutputFiles.
void write_files(const GivenRun& run, const RunFiles& files);

/// The report of such a run as JSON; report_schema() says what is in it.
std::string format_report(const GivenRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

}  // namespace accord
