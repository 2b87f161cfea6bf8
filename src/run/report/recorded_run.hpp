// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/families/family_reader.hpp"
#include "method/method_options.hpp"

namespace accord {

/// The record of a run of `accord align` in its report.
struct RecordedRun {
  std::string label;              ///< names the report in messages
  std::string version;            ///< of the program
  FamilySource source;            ///< how inputs and tracks were read; it names no files
  bool has_tracks = false;        ///< whether the run used tracks
  std::vector<FileDigest> files;  ///< the inputs; none if a caller of the library passed sequences
  std::string options;            ///< the options of the method, in the JSON of format_method()
  std::string parameters;         ///< one line of JSON, see reported_parameters()
  std::string parameters_sha256;
  std::string result_sha256;  ///< of the alignment as FASTA, the letters of each row on one line
};

/// Reads the text of a report; `label` names the report in messages.
/// Throws  Error{bad_input} for a text that is no report, lacks a field, or has parameters that do
///         not have the checksum of the report; Error{usage} for the report of another command.
RecordedRun parse_report(std::string_view text, const std::string& label);

/// The options of the method of a recorded run. Options that are set in `given` replace the
/// recorded ones.
/// Throws  Error{usage} if the run had a guide tree of a file, which a report does not contain, and
///         `given` has none; Error{bad_input} for options that this version does not have.
MethodOptions method_of(const RecordedRun& recorded, const MethodOptions& given);

/// The first difference between the parameters of a report and those of a run of this program, both
/// as one line of JSON: "refine_iterations is 30 in the report and 3 here". Empty if all are equal.
std::string parameter_difference(const std::string& recorded, const std::string& here);

}  // namespace accord
