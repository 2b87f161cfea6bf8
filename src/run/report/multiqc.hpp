// SPDX-License-Identifier: Apache-2.0
// Tables in the format that MultiQC reads as custom content.
#pragma once
#include <string>
#include <vector>

#include "run/report/report.hpp"

namespace accord {

/// A table with one row about a run. The sample is the name of the first input, without its suffix.
std::string format_multiqc(const AlignRun& run);

/// A table with a row about each family of a batch, whose id is the sample. A family that this run
/// has not aligned has its status alone. `devices`: the names of the devices.
std::string format_batch_multiqc(const std::vector<BatchFamily>& families,
                                 const std::vector<FamilyOutcome>& outcomes,
                                 const std::string& devices);

}  // namespace accord
