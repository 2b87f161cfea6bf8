// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "app/cli/options.hpp"
#include "app/outputs/ensemble_outputs.hpp"
#include "method/ensemble.hpp"
#include "method/method_options.hpp"

namespace accord {

/// The options of `accord ensemble`.
struct EnsembleCommandOptions : RunOptions {
  EnsembleOptions ensemble;
  EnsembleFiles files;
  std::optional<AlignmentFormat> format;
  bool is_efa = false;  ///< --format efa
  bool concatenates = false;
  MethodOptions method;
};

/// Adds --replicates, --seed, and the options of the outputs.
void add_ensemble_options(OptionTable& table, EnsembleCommandOptions& options);

/// The files of a run: a path that ends in a slash, or is a directory, is a folder.
/// Throws  Error{usage} for options that do not go together, and as format_of_output.
EnsembleFiles ensemble_files(const EnsembleCommandOptions& options);

}  // namespace accord
