// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "run/batch/batch_run.hpp"
#include "run/report/beside_files.hpp"

namespace accord {

/// The options of `accord batch`.
struct BatchOptions : RunOptions {
  BatchSettings batch;  ///< all but the source, which is `input`
  BesideFiles beside;   ///< the files to write beside each alignment
  std::string report;   ///< path; empty: not written
  std::string plan;     ///< --plan: write a manifest with cells here, align nothing; empty: align
};

/// Adds all options of `accord batch`; they write to `values`.
void add_batch_options(OptionTable& table, BatchOptions& values);

/// Reads the number and the count of a shard, such as "3/16".
/// Throws  Error{usage}
Shard parse_shard(const std::string& text);

}  // namespace accord
