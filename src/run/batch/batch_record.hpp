// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <string_view>

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

}  // namespace accord
