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

/// An option of computing. One entry is all that an option needs beside the code that reads it.
struct ComputeOption {
  OptionField field;
  ComputeGroup group = ComputeGroup::runs;
  void (*apply)(const OptionValue& value, ComputeOptions& options) = nullptr;
};

/// The options, in the order of help. None decides an alignment, so that no checksum has one.
const std::vector<ComputeOption>& compute_options();

/// Sets the option `name`, which is in the table, by the text of its value; `shown` is the name of
/// the option in messages.
/// Throws  as read_option.
void set_compute_option(const std::string& name, const std::string& text, const std::string& shown,
                        ComputeOptions& options);

}  // namespace accord
