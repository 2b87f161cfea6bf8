// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "accord/app/commands.hpp"
#include "accord/app/device_choice.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/system_limits.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/io/output_file.hpp"

namespace accord {
namespace {

using Row = std::vector<std::string>;

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / (1 << 30));
  return text;
}

Row device_row(std::size_t number, const ocl::DeviceInfo& device, bool is_auto) {
  return {is_auto ? "*" : "",
          std::to_string(number),
          device.name,
          device.description + " (" + device.platform + ")",
          device.driver,
          gibibytes(device.global_memory) + " (" + gibibytes(device.budget()) + ") GiB",
          std::to_string(device.compute_units),
          std::to_string(device.largest_group),
          std::to_string(device.local_memory >> 10) + "K",
          device.pci.empty() ? "-" : device.pci};
}

/// The rows as a table whose columns are as wide as they need.
std::string format_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> width;
  for (const Row& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += row[c] + std::string(width[c] - row[c].size() + (c == 0 ? 1 : 2), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string explain_auto(const ocl::DeviceList& list, std::optional<std::size_t> chosen) {
  if (chosen) {
    return "auto takes " + list.devices[*chosen].name + ": the first GPU that can be used\n";
  }
  const std::string reason = list.devices.empty() ? list.problem : "there is no GPU to use";
  return "auto takes none, the host itself: " + reason + "\n" +
         (list.hint.empty() ? "" : "  hint: " + list.hint + "\n");
}

void run_devices() {
  set_thread_count(available_processors());
  const ocl::DeviceList list = ocl::list_devices();
  const std::optional<std::size_t> chosen = auto_device(list);
  std::vector<Row> rows = {
      {"", "#", "name", "device", "driver", "memory (budget)", "CU", "wg", "local", "pci"}};
  for (std::size_t k = 0; k < list.devices.size(); ++k) {
    rows.push_back(device_row(k, list.devices[k], chosen == k));
  }
  rows.push_back(
      {chosen ? "" : "*", "-", "none", HostBackend().name(), "-", "-", "-", "-", "-", "-"});
  std::string text = format_table(rows) + explain_auto(list, chosen);
  for (const ocl::DeviceInfo& device : list.devices) {
    if (device.unusable.empty()) continue;
    text += device.name + " cannot be used: " + device.unusable + "\n";
  }
  write_output("-", text);
}

}  // namespace

Command devices_command() {
  Command command{.name = "devices",
                  .summary = "list what can compute",
                  .description =
                      "Lists the OpenCL devices and the host, and which one --device auto "
                      "takes.\n"};
  command.run = [](const std::vector<std::string>&) { run_devices(); };
  return command;
}

}  // namespace accord
