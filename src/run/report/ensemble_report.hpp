// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/files/text_sink.hpp"
#include "method/ensemble.hpp"
#include "run/report/report.hpp"

namespace accord {

/// A table with tabs and a line for each replicate: its name, columns, agreement with the other
/// replicates, mean column confidence, whether it is the best one, and the factors of its
/// parameters.
std::string format_replicates(const Ensemble& ensemble);

/// Writes a table with tabs and a line for each column of each replicate: the name of the
/// replicate, the number of the column from 1, the residues in it, and its confidence in the
/// ensemble.
void write_column_confidence(const Ensemble& ensemble, TextSink& out);

/// The report of a run that made an ensemble; `run` and `rows` are those of the first replicate.
std::string format_report(const AlignRun& run, const Ensemble& ensemble, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

}  // namespace accord
