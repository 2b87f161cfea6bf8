// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "io/family_reader.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_run.hpp"

namespace accord {

/// What `accord align` is asked for.
struct AlignOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
};

/// What `accord batch` is asked for.
struct BatchOptions : RunOptions {
  BatchSettings batch;  ///< all but the source, which is `input`
  bool writes_confidence = false, writes_trees = false, writes_pages = false;  ///< beside each
  std::string report;  ///< path; empty: not written
  std::string plan;    ///< path of the manifest with cells; empty: families are aligned
};

/// Reads "confidence,tree,page": what is written beside each alignment.
/// Throws  Error{usage}
void parse_beside(const std::string& text, BatchOptions& options);

/// Reads "3/16".
/// Throws  Error{usage}
Shard parse_shard(const std::string& text);

}  // namespace accord
