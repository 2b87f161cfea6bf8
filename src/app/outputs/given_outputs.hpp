// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/outputs/run_outputs.hpp"
#include "run/report/given_run.hpp"

namespace accord {

/// Writes the files of a run on given alignments. If the run keeps the given columns, a warning
/// says how many residues have none.
/// Throws  as OutputFiles.
void write_files(const GivenRun& run, const RunFiles& files);

}  // namespace accord
