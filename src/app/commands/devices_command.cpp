// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "base/text.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "io/files/output_file.hpp"
#include "run/devices/device_survey.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;
using ocl::DeviceInfo;
using ocl::DeviceKind;

/// The result of the self-test, in a word or two.
std::string word_of(const SelfTestResult& test) {
  using State = SelfTestResult::State;
  switch (test.state) {
    case State::passed:
      return "ok";
    case State::not_run:
      return "not run";
    case State::failed:
      return "FAILED";
    case State::unusable:
      return "unusable";
  }
  return {};
}

using Row = std::vector<std::string>;

std::string gibibytes(std::uint64_t bytes) {
  return formatted("%.1f", static_cast<double>(bytes) / (1 << 30));
}

Row device_row(std::size_t number, const DeviceSurvey& survey) {
  const DeviceInfo& device = survey.list.devices[number];
  return {device.name == survey.auto_name ? "*" : "",
          std::to_string(number),
          device.name,
          device.description + " (" + device.platform + ")",
          device.driver,
          gibibytes(device.global_memory) + " (" + gibibytes(device.budget()) + ") GiB",
          std::to_string(device.compute_units),
          std::to_string(device.largest_group),
          std::to_string(device.local_memory >> 10) + "K",
          device.has_double ? "yes" : "no",
          device.pci.empty() ? "-" : device.pci,
          word_of(survey.tests[number])};
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

const char* type_word(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu:
      return "gpu";
    case DeviceKind::cpu:
      return "cpu";
    case DeviceKind::accelerator:
      return "acc";
    case DeviceKind::other:
      break;
  }
  return "other";
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json device_json(std::size_t number, const DeviceSurvey& survey) {
  const DeviceInfo& device = survey.list.devices[number];
  const SelfTestResult& test = survey.tests[number];
  return {{"name", device.name},
          {"number", number},
          {"type", type_word(device.kind)},
          {"description", device.description},
          {"vendor", device.vendor},
          {"platform", device.platform},
          {"platform_version", device.platform_version},
          {"driver", device.driver},
          {"pci", text_or_null(device.pci)},
          {"memory_bytes", device.global_memory},
          {"budget_bytes", device.budget()},
          {"largest_buffer_bytes", device.largest_buffer},
          {"shares_host_memory", device.shares_host_memory},
          {"compute_units", device.compute_units},
          {"largest_work_group", device.largest_group},
          {"local_memory_bytes", device.local_memory},
          {"fp64", device.has_double},
          {"self_test", word_of(test)},
          {"problem", text_or_null(test.problem)}};
}

/// The table that `accord devices` prints, and below it the problems of devices.
std::string format_survey(const DeviceSurvey& survey) {
  std::vector<Row> rows = {{"", "#", "name", "device", "driver", "memory (budget)", "CU", "wg",
                            "local", "fp64", "pci", "self-test"}};
  for (std::size_t k = 0; k < survey.list.devices.size(); ++k) {
    rows.push_back(device_row(k, survey));
  }
  rows.push_back({survey.auto_name == "none" ? "*" : "", "-", "none", HostBackend().name(), "-",
                  "-", "-", "-", "-", "-", "-", "built in"});
  std::string text = format_table(rows) + "auto takes " + survey.auto_name +
                     (survey.auto_name == "none" ? ", the host itself: " : ": ") +
                     survey.auto_reason + "\n";
  if (!survey.list.hint.empty()) text += "  hint: " + command_line_hint(survey.list.hint) + "\n";
  for (std::size_t k = 0; k < survey.tests.size(); ++k) {
    const SelfTestResult& test = survey.tests[k];
    if (test.problem.empty()) continue;
    const bool is_failure = test.state == SelfTestResult::State::failed;
    text += survey.list.devices[k].name +
            (is_failure ? " failed its self-test: " : " cannot be used: ") + test.problem + "\n";
  }
  return text;
}

/// The same as JSON.
std::string format_survey_json(const DeviceSurvey& survey) {
  ordered_json devices = ordered_json::array();
  for (std::size_t k = 0; k < survey.list.devices.size(); ++k) {
    devices.push_back(device_json(k, survey));
  }
  devices.push_back({{"name", "none"}, {"type", "host"}, {"description", HostBackend().name()}});
  const ordered_json all = {{"accord_version", ACCORD_VERSION},
                            {"auto", survey.auto_name},
                            {"auto_reason", survey.auto_reason},
                            {"problem", text_or_null(survey.list.problem)},
                            {"hint", text_or_null(command_line_hint(survey.list.hint))},
                            {"devices", devices}};
  // Drivers may call their devices anything; JSON text may not hold any bytes.
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

struct DevicesOptions {
  bool json = false;
  bool check = false;
  std::vector<const Stage*> stages{kAlignerStages.begin(), kAlignerStages.end()};
  ComputeOptions compute;
};

void run_devices(const DevicesOptions& options) {
  set_thread_count(available_processors());
  if (!options.compute.opencl.kernel_directory.empty()) {
    ocl::check_kernel_directory(options.compute.opencl.kernel_directory);
  }
  const DeviceSurvey survey = survey_devices(options.check, options.stages, options.compute.opencl);
  write_output("-", options.json ? format_survey_json(survey) : format_survey(survey));
  for (std::size_t k = 0; k < survey.tests.size(); ++k) {
    if (survey.tests[k].state != SelfTestResult::State::failed) continue;
    throw Error(ErrorKind::device_failed,
                ocl::format_device(survey.list.devices[k]) + " failed its self-test",
                "update its driver; --device auto will not use it");
  }
}

}  // namespace

Command devices_command(const std::vector<const Stage*>& others) {
  const auto options = std::make_shared<DevicesOptions>();
  options->stages.insert(options->stages.end(), others.begin(), others.end());
  Command command{.name = "devices",
                  .summary = "list what can compute",
                  .description =
                      "Lists the OpenCL devices and the host, and which one --device "
                      "auto takes and why. Before a device is used for the first time "
                      "it computes a small family, which is compared with the host bit "
                      "by bit: its self-test.\n"};
  command.options.push_back({.name = "check",
                             .help = "run the self-test of every device now; exit code 70 if one "
                                     "fails",
                             .topic = OptionTopic::compute,
                             .common = true,
                             .set = flag_in(options->check)});
  command.options.push_back({.name = "json",
                             .help = "print the list as JSON",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = flag_in(options->json)});
  add_opencl_options(command.options, options->compute);
  command.run = [options](const std::vector<std::string>&) { run_devices(*options); };
  return command;
}

}  // namespace accord
