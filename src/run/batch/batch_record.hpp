// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "run/batch/batch_list.hpp"

namespace accord {

/// Hashes of all that an alignment was made from (see text_hash).
struct AlignmentSources {
  std::string input;       ///< the text of the input
  std::string parameters;  ///< version, options of the method, format

  bool operator==(const AlignmentSources&) const = default;
};

/// What stands finished in the output directory of a batch.
///
/// Every finished family is a line in the file .accord-batch-I-of-N.tsv of its shard: id, hashes of
/// sources and output, hash of the line. Lines are appended whole after the output has its name, so
/// a killed run leaves complete families and at most one damaged line, which is ignored.
class BatchRecord {
 public:
  /// The file that has the lines of a shard.
  static std::string path_of(const std::string& directory, const Shard& shard);

  /// Reads the records of all shards in the directory and opens that of `shard` for appending.
  /// Throws  Error{cannot_create}
  BatchRecord(const std::string& directory, const Shard& shard);
  ~BatchRecord();
  BatchRecord(const BatchRecord&) = delete;
  BatchRecord& operator=(const BatchRecord&) = delete;

  /// True if the family was aligned from the same sources and its output is still what was written.
  bool is_complete(const BatchFamily& family, const AlignmentSources& sources) const;

  /// Notes a family whose output has just been written, with the text_hash of its text. May be
  /// called by several threads at once.
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
  std::map<std::string, Entry> entries_;  // as they were at the start
  std::mutex mutex_;
};

}  // namespace accord
