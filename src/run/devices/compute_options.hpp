// SPDX-License-Identifier: Apache-2.0
// The options that say where, and with which resources, a run computes: one table.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/opencl/opencl_settings.hpp"
#include "options/option_field.hpp"

namespace accord {

/// Where and with which resources a run computes.
struct ComputeOptions {
  std::string device = "auto";        ///< an argument of choose_devices()
  int threads = 0;                    ///< 0: as many as the process may use
  std::optional<std::size_t> memory;  ///< host memory, in bytes; none: usual_memory_budget()
  std::optional<double> time_limit;   ///< in seconds; none: no limit
  ocl::OpenClSettings opencl;
};

/// The commands that take an option of computing.
enum class ComputeGroup {
  runs,    ///< those that compute alignments, trees or distances
  devices  ///< those, and the command that lists and tests devices
};

/// An option of computing. A new option needs an entry here and the code that uses its value.
struct ComputeOption {
  OptionField field;                        ///< its name, type and help
  ComputeGroup group = ComputeGroup::runs;  ///< the commands that take it
  /// Stores its value in `options`.
  void (*apply)(const OptionValue& value, ComputeOptions& options) = nullptr;
};

/// The options of computing, in the order of help. None of them changes an alignment, so that the
/// checksums of reports do not cover them.
const std::vector<ComputeOption>& compute_options();

/// Sets the option `name`, which is in the table, by the text of its value; `shown` is the name of
/// the option in messages.
/// Throws  Error{usage} for a text that is no value of the option; Error{internal} for a name that
///         is not in the table.
void set_compute_option(const std::string& name, const std::string& text, const std::string& shown,
                        ComputeOptions& options);

}  // namespace accord
