// SPDX-License-Identifier: Apache-2.0
#include "run/devices/compute_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "accord/base/error.hpp"
#include "options/most_count.hpp"

namespace accord {
namespace {

const std::string& text_of(const OptionValue& value) { return std::get<std::string>(value); }

/// Reads the memory of each device that may be occupied, a size or a part such as "50%", into
/// `settings`. Returns whether the text is one of these.
bool read_device_memory(const std::string& text, ocl::OpenClSettings& settings) {
  const std::optional<double> bytes = parse_size(text);
  settings.memory_bytes = static_cast<std::uint64_t>(bytes.value_or(0));
  if (bytes) return true;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, settings.memory_percent);
  return parsed.ec == std::errc() && std::string(parsed.ptr, end) == "%" &&
         settings.memory_percent >= 1 && settings.memory_percent <= 100;
}

void check_device_memory(const OptionValue& value, const std::string& what) {
  ocl::OpenClSettings settings;
  if (read_device_memory(text_of(value), settings)) return;
  throw Error(ErrorKind::usage, what + ": neither a size nor a part of the memory",
              "use a size such as 512M or 6G, or 1% to 100%");
}

/// More threads than any machine has processors leave none for other programs.
constexpr int kMostThreads = 1024;

std::vector<ComputeOption> make_compute_options() {
  return {
      {.field = {.name = "device",
                 .letter = 'd',
                 .type = OptionType::text,
                 .value = "DEVICE",
                 .standard = "auto",
                 .help = "auto (a GPU if there is one and the host would need more than about a "
                         "second, else the host), none (the host), or devices by number, name "
                         "(gpu0), type (gpu), address (pci:0a:00.0) or description, with commas; "
                         "see 'accord devices' ($ACCORD_DEVICE)",
                 .brief = "auto, none (the host), gpu0; see 'accord devices'",
                 .is_common = true,
                 .example = "none"},
       .apply = [](const OptionValue& value,
                   ComputeOptions& options) { options.device = text_of(value); }},
      {.field = {.name = "threads",
                 .letter = 'j',
                 .type = OptionType::count,
                 .value = "N",
                 .standard = "0",
                 .help = "threads (0: as affinity, control group, OMP_NUM_THREADS and "
                         "SLURM_CPUS_PER_TASK allow; at most 1024)",
                 .brief = "threads (as many as the process may use)",
                 .is_common = true,
                 .check = check_most<kMostThreads>},
       .apply = [](const OptionValue& value,
                   ComputeOptions& options) { options.threads = std::get<int>(value); }},
      {.field = {.name = "memory",
                 .type = OptionType::size,
                 .value = "SIZE",
                 .help = "host memory that may be used, such as 8G; a family that needs more is "
                         "refused at once, and an input while it is read; families of a batch wait "
                         "for each other (ACCORD_MEMORY, else 80 % of what control group and "
                         "machine allow, and 50 % for reading)"},
       .apply =
           [](const OptionValue& value, ComputeOptions& options) {
             options.memory = static_cast<std::size_t>(std::get<double>(value));
           }},
      {.field = {.name = "time-limit",
                 .type = OptionType::time,
                 .value = "TIME",
                 .help = "end after this time, such as 90 (seconds), 10m or 2h, with exit code "
                         "124"},
       .apply = [](const OptionValue& value,
                   ComputeOptions& options) { options.time_limit = std::get<double>(value); }},
      {.field = {.name = "kernel-dir",
                 .type = OptionType::text,
                 .value = "DIR",
                 .help = "use the kernel files of this directory in place of the built-in ones of "
                         "the same names, for work on kernels",
                 .example = "kernels"},
       .group = ComputeGroup::devices,
       .apply = [](const OptionValue& value,
                   ComputeOptions& options) { options.opencl.kernel_directory = text_of(value); }},
      {.field = {.name = "device-memory",
                 .type = OptionType::text,
                 .value = "SIZE",
                 .standard = "80%",
                 .help = "memory of each device that may be occupied: a size such as 6G or 512M, "
                         "or a part such as 50% of what the device reports (80%)",
                 .example = "50%",
                 .check = check_device_memory},
       .group = ComputeGroup::devices,
       .apply = [](const OptionValue& value, ComputeOptions& options) {
         read_device_memory(text_of(value), options.opencl);
       }}};
}

}  // namespace

const std::vector<ComputeOption>& compute_options() {
  static const std::vector<ComputeOption> options = make_compute_options();
  return options;
}

void set_compute_option(const std::string& name, const std::string& text, const std::string& shown,
                        ComputeOptions& options) {
  const std::vector<ComputeOption>& all = compute_options();
  const auto at = std::ranges::find_if(
      all, [&](const ComputeOption& option) { return option.field.name == name; });
  if (at == all.end()) throw Error(ErrorKind::internal, name + ": there is no such option");
  at->apply(read_option(at->field, text, shown), options);
}

}  // namespace accord
