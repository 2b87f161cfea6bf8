// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "method/align_result.hpp"
#include "run/batch/batch_list.hpp"

namespace accord {

/// Hashes of everything that determines an alignment (see text_hash).
struct AlignmentSources {
  std::string input;       ///< hash of the text of the input
  std::string parameters;  ///< hash of the version, the options of the method and the format

  bool operator==(const AlignmentSources&) const = default;
};

/// The record of the finished families in the output directory of a batch.
///
/// The file .accord-batch-I-of-N.tsv of shard I has a line for each finished family: its id, the
/// hashes of its sources and its output, and the hash of the line. A line is appended after the
/// output file is complete. So a killed run leaves complete families and at most one damaged line,
/// which the next run ignores.
class BatchRecord {
 public:
  /// The path of the file of a shard.
  static std::string path_of(const std::string& directory, const Shard& shard);
  /// Whether a file of this name is such a file.
  static bool is_record(std::string_view name);

  /// Reads the records of all shards in the directory, which must exist, and opens the record of
  /// `shard` for appending; creates it if it does not exist.
  /// Throws  Error{cannot_create} if the record of the shard cannot be written.
  BatchRecord(const std::string& directory, const Shard& shard);
  ~BatchRecord();
  BatchRecord(const BatchRecord&) = delete;
  BatchRecord& operator=(const BatchRecord&) = delete;

  /// Whether the records that the constructor read have the family with the same sources, and its
  /// output is unchanged since. Reads the output file.
  bool is_complete(const BatchFamily& family, const AlignmentSources& sources) const;

  /// Records a family whose output has been written; `output_hash` is the text_hash of the output.
  /// Several threads may call this at once.
  /// Throws  Error{write_failed}
  void add(const BatchFamily& family, const AlignmentSources& sources,
           const std::string& output_hash);

 private:
  struct Entry {
    AlignmentSources sources;
    std::string output;  // hash
  };
  void read_file(const std::string& path);

  std::string path_;
  int descriptor_ = -1;
  std::map<std::string, Entry> entries_;  // by id, as the files were at the start
  std::mutex mutex_;
};

/// The state of a family at the end of a batch. A complete family was aligned by an earlier run.
enum class FamilyStatus { aligned, complete, failed, not_started };

/// "aligned", "complete", "failed" or "not started".
const char* to_string(FamilyStatus status);

/// The result of a family of a batch. The numbers of sequences and columns are 0 until they are
/// known; they stay 0 for a complete family, whose sequences are not parsed again.
struct FamilyOutcome {
  FamilyStatus status = FamilyStatus::not_started;
  std::size_t sequences = 0;
  std::size_t columns = 0;
  /// The confidence of the alignment, in [0, 1]; NaN: not computed.
  double confidence = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0;  ///< from the start of its alignment, including later waits for others
  std::string input_sha256, output_sha256;  ///< of the bytes of the files; empty: not computed
  FamilyFacts facts;                        ///< of an aligned family
  /// For the report of a family with tracks: names of settings (see reported_input_fields) and
  /// their values.
  std::vector<std::pair<std::string, std::string>> track_settings;
  std::string error;  ///< the message of a failed family
};

/// The facts in words: ", track weight 0.812, 10 pairs superposed"; empty if none is known.
std::string in_words(const FamilyFacts& facts);

/// The number of outcomes that have a status.
std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status);

/// Formats the outcomes and the time of a batch as a line: "12 families: 10 aligned, 2 failed,
/// 3.1 s".
std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds);

}  // namespace accord
