// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "run/report/report.hpp"

namespace accord {

/// A run that failed, for its report.
struct FailedRun {
  std::string command;              ///< its name: "align"
  std::vector<std::string> inputs;  ///< as the user named them
  int exit_code = 1;
  std::string error = {};
  std::string hint = {};    ///< what to try, in the words of the command line; may be empty
  std::string signal = {};  ///< the name of the signal that ended the run; empty if none did
};

/// The report of a run that failed as JSON; report_schema() describes it.
std::string format_failure_report(const FailedRun& run, const RunCost& cost);

}  // namespace accord
