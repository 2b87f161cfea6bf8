// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "run/batch/batch_run.hpp"
#include "run/report/beside_files.hpp"

namespace accord {

/// The options of `accord batch`.
struct BatchOptions : RunOptions {
  BatchSettings batch;          ///< all but the source, which is `input`
  BesideFiles beside;           ///< the files to write beside each alignment
  std::string report;           ///< path; empty: not written
  std::string multiqc;          ///< path of the table for MultiQC; empty: not written
  bool allows_outside = false;  ///< whether OUT of a manifest may lie outside the directory
  std::string plan;  ///< --plan: write a manifest with cells here, align nothing; empty: align
};

/// Adds all options of `accord batch`. They write to `values`, which must outlive the use of the
/// table.
void add_batch_options(OptionTable& table, BatchOptions& values);

/// Reads the number of a shard, from 1, and the number of all shards: "3/16" is the third of 16.
/// Throws  Error{usage} for any other text, and for a number that is 0 or above the count.
Shard parse_shard(const std::string& text);

}  // namespace accord
