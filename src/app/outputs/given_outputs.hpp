// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/outputs/run_outputs.hpp"
#include "run/report/given_run.hpp"

namespace accord {

/// Writes the files as those of a run that aligns. A warning says how many residues have no column.
/// Throws  as OutputFiles.
void write_files(const GivenRun& run, const RunFiles& files);

}  // namespace accord
