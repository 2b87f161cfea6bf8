// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "run/batch/batch_run.hpp"
#include "run/report/beside_files.hpp"

namespace accord {

/// What `accord batch` is asked for.
struct BatchOptions : RunOptions {
  BatchSettings batch;  ///< all but the source, which is `input`
  BesideFiles beside;
  std::string report;  ///< path; empty: not written
  std::string plan;    ///< path of the manifest with cells; empty: families are aligned
};

/// All options of `accord batch`.
void add_batch_options(OptionTable& table, BatchOptions& values);

/// Reads "3/16".
/// Throws  Error{usage}
Shard parse_shard(const std::string& text);

}  // namespace accord
