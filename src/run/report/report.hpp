// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/system.hpp"
#include "base/timer.hpp"
#include "io/families/family_reader.hpp"
#include "method/align_result.hpp"
#include "run/batch/batch_run.hpp"
#include "run/devices/device_use.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {

/// The time and the memory of a run.
struct RunCost {
  double wall_seconds;
  double cpu_seconds;                        ///< user + system, all threads
  std::size_t peak_bytes;                    ///< resident memory
  std::optional<std::size_t> memory_budget;  ///< of the host, bytes
};

/// Measures the time and memory of a run, from the construction on.
class CostMeter {
 public:
  /// `memory_budget`: RunCost::memory_budget, which the meter only passes on.
  explicit CostMeter(std::optional<std::size_t> memory_budget) : memory_budget_(memory_budget) {}
  /// The cost so far.
  RunCost cost() const;

 private:
  Timer timer_;
  double cpu_before_ = process_cpu_seconds();
  std::optional<std::size_t> memory_budget_;
};

/// A file that a run wrote.
struct WrittenFile {
  std::string kind;    ///< "alignment", "tree", ...: see the schema
  std::string format;  ///< of an alignment; else empty
  FileDigest file;     ///< without a checksum for the report itself
};

/// A finished run that aligned a family, for the report; without the written files.
struct AlignRun {
  const PreparedFamily& family;
  const AlignResult& result;
  const DeviceUse& use;
  const CostMeter& meter;
  std::string command = "align";  ///< or "join"
};

/// The alignment of a run, whatever formats it was written in.
struct ResultRows {
  std::size_t columns = 0;
  std::string sha256;  ///< of the alignment as FASTA, with the letters of each row on one line
};

/// Counts the columns of an alignment, and computes the checksum. `plain`: the rows in the order of
/// the input, with the letters of the input.
ResultRows result_rows(const AlignmentText& plain);

/// The report of a run as JSON; report_schema() describes it. The report names the first alignment
/// among `files` as the output.
std::string format_report(const AlignRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files);

/// The SHA-256 of the guide tree of a run, if it came from a file; else empty.
std::string tree_checksum(const PreparedFamily& family, const GuideTree& tree);

/// The parameters of a run as they are in its report, as one line of JSON. `tree_sha256` is the
/// result of tree_checksum().
std::string reported_parameters(const PreparedFamily& family, const std::string& tree_sha256);

/// The SHA-256 of the parameters in a report. It covers `version`, the version of the program, and
/// `parameters`, one line of JSON. Runs with equal checksums align equal inputs alike.
std::string parameters_checksum(const std::string& version, const std::string& parameters);

/// The parameters of a run as one line of JSON, for the log. The field `tree_sha256` has the path
/// of the file of the guide tree, not its checksum.
std::string format_parameters(const PreparedFamily& family);

/// The report of a batch as JSON; report_schema() describes it.
std::string format_batch_report(const BatchSettings& settings,
                                const std::vector<BatchFamily>& families,
                                const std::vector<FamilyOutcome>& outcomes, const DeviceUse& use,
                                const RunCost& cost);

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
