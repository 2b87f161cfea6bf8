// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/formats.hpp"
#include "method/ensemble.hpp"
#include "run/report/report.hpp"

namespace accord {

/// The form in which an ensemble is written.
enum class EnsembleForm {
  efa,          ///< all replicates in one file
  folder,       ///< a file for each replicate
  concatenated  ///< one alignment with the columns of all replicates
};

/// The files of an ensemble.
struct EnsembleFiles {
  std::string path = "-";  ///< of the replicates; "-" is standard output
  EnsembleForm form = EnsembleForm::efa;
  AlignmentFormat format = AlignmentFormat::fasta;
  std::optional<std::size_t> wrap;
  bool upper_case = false;
  std::string columns;     ///< confidence of columns; empty: not written, as are the next four
  std::string replicates;  ///< table of the replicates
  std::string report;
  std::string html;      ///< page of the replicates
  std::string name_map;  ///< the table of format_name_map
};

/// Whether one of the files has the report, which lists the checksums of all inputs and outputs.
bool needs_checksums(const EnsembleFiles& files);

/// The paths of the files whose names do not depend on the replicates; the path of a file that is
/// not written is empty.
std::vector<std::string> paths_of(const EnsembleFiles& files);

/// The files of the replicates in a folder, in order.
std::vector<std::string> paths_in_folder(const EnsembleFiles& files, const Ensemble& ensemble);

/// Writes the files of an ensemble, the replicates last. `run` is that of the first replicate.
/// Throws  as OutputFiles.
void write_files(const AlignRun& run, const Ensemble& ensemble, const EnsembleFiles& files);

}  // namespace accord
