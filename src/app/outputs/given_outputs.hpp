// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/outputs/run_outputs.hpp"
#include "run/report/given_run.hpp"

namespace accord {

/// Writes the files that `files` names for a run on given alignments. If `files` names a table of
/// confidence, run.combined must have a confidence. If the run keeps the given columns, a warning
/// gives the number of residues that stand in no given column.
/// Throws  as OutputFiles::add and OutputFiles::finish.
void write_files(const GivenRun& run, const RunFiles& files);

}  // namespace accord
