// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "method/method_options.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/recorded_run.hpp"

namespace accord::run {

/// An alignment, the input from which accord is stated to have made it, and the record of that run.
struct StatedAlignment {
  /// The input, with checksums of its files. Its settings have the options that the caller set. If
  /// the report is of this version of the program, the other options are those of the recorded run.
  PreparedFamily family;
  AlignedFamily aligned;                ///< the alignment
  std::optional<RecordedRun> recorded;  ///< from the report of the run; none without a report
};

/// Reads the files of an input, the alignment, and the report of its run (`report` is empty if
/// there is none). The input is read with the options in the report. `method` has the options of
/// the method that the caller sets. `track` names the files of tracks, since a report has only the
/// checksums of tracks.
/// Throws  as read_family, read_aligned, parse_report, method_of and prepare_family; Error{usage}
///         if the run had tracks, and `track` has none.
StatedAlignment read_stated_alignment(const std::vector<std::string>& inputs,
                                      const std::string& alignment, const std::string& report,
                                      const MethodOptions& method, const TrackSource& track);

/// One comparison of a verification.
struct VerifyCheck {
  std::string name;  ///< "rows", "report", "input", "version", "parameters", "alignment", "again"
  bool is_equal = false;
  std::string detail;  ///< the things compared, or the first difference
};

/// The result of a verification.
struct Verification {
  std::vector<VerifyCheck> checks;  ///< in the order of the comparisons
  /// A sentence with the first difference; empty: verified. If this is the checksum of the
  /// alignment and the alignment was made again, the sentence has the place where the alignments
  /// differ.
  std::string difference;
};

/// Compares
/// rows        the rows without gaps with the sequences of the input: names, and letters in either
///             case; if they differ, nothing else is compared;
/// report      whether there is one, unless the alignment is made again;
/// input       the checksums of the input files with those of the report;
/// version     the version of this program with that of the report; if it differs, parameters are
///             not compared, and nothing is aligned;
/// parameters  the parameters that this program makes of the options with those of the report;
/// alignment   the checksum of the alignment (ResultRows) with that of the report;
/// again       the alignment with the one that align() makes; not compared if `again` is null.
///
/// Throws  as tree_of_file and align.
/// Cost    without `again` linear in the size of the alignment.
Verification verify(const StatedAlignment& stated, const RunContext* again);

}  // namespace accord::run
