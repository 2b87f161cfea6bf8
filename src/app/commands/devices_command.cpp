// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/option_values.hpp"
#include "app/commands/commands.hpp"
#include "app/devices/device_choice.hpp"
#include "app/devices/self_test.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "io/files/output_file.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;
using ocl::DeviceInfo;
using ocl::DeviceKind;

struct DevicesOptions {
  bool json = false;
  bool check = false;
  ocl::OpenClSettings opencl;
};

/// What is known of a device's self-test.
struct TestResult {
  enum class State { passed, not_run, failed, unusable } state;
  std::string problem;

  std::string text() const {
    switch (state) {
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
};

/// Everything that is printed.
struct Survey {
  ocl::DeviceList list;
  std::vector<TestResult> tests;  // one per device
  std::string auto_name, auto_reason;
};

TestResult test_device(const DeviceInfo& device, const DevicesOptions& options) {
  using State = TestResult::State;
  if (!device.unusable.empty()) return {State::unusable, device.unusable};
  if (!options.check) {
    const bool has_passed = has_passed_self_test(device, options.opencl);
    return {has_passed ? State::passed : State::not_run, ""};
  }
  std::string problem;
  try {
    OpenClBackend backend(device, options.opencl);
    problem = run_self_test(backend, device, options.opencl);
  } catch (const Error& error) {
    problem = error.what();
  }
  return {problem.empty() ? State::passed : State::failed, problem};
}

Survey survey_devices(const DevicesOptions& options) {
  Survey survey{ocl::list_devices(), {}, "none", ""};
  for (DeviceInfo& device : survey.list.devices) {
    ocl::limit_memory(device, options.opencl);
    survey.tests.push_back(test_device(device, options));
  }
  const std::vector<std::size_t> gpus = auto_devices(survey.list);
  const auto good = std::find_if(gpus.begin(), gpus.end(), [&](std::size_t k) {
    return survey.tests[k].state != TestResult::State::failed;
  });
  if (good != gpus.end()) {
    survey.auto_name = survey.list.devices[*good].name;
    survey.auto_reason = "the first GPU that can be used, for what takes the host over a second";
  } else if (!gpus.empty()) {
    survey.auto_reason = "no GPU passed its self-test";
  } else if (survey.list.devices.empty()) {
    survey.auto_reason = survey.list.problem;
  } else {
    survey.auto_reason = "there is no GPU to use";
  }
  return survey;
}

using Row = std::vector<std::string>;

std::string gibibytes(std::uint64_t bytes) {
  return formatted("%.1f", static_cast<double>(bytes) / (1 << 30));
}

Row device_row(std::size_t number, const Survey& survey) {
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
          survey.tests[number].text()};
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

std::string format_survey(const Survey& survey) {
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
    const TestResult& test = survey.tests[k];
    if (test.problem.empty()) continue;
    const bool is_failure = test.state == TestResult::State::failed;
    text += survey.list.devices[k].name +
            (is_failure ? " failed its self-test: " : " cannot be used: ") + test.problem + "\n";
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

ordered_json device_json(std::size_t number, const Survey& survey) {
  const DeviceInfo& device = survey.list.devices[number];
  const TestResult& test = survey.tests[number];
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
          {"self_test", test.text()},
          {"problem", text_or_null(test.problem)}};
}

std::string format_json(const Survey& survey) {
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

void run_devices(const DevicesOptions& options) {
  set_thread_count(available_processors());
  if (!options.opencl.kernel_directory.empty()) {
    ocl::check_kernel_directory(options.opencl.kernel_directory);
  }
  const Survey survey = survey_devices(options);
  write_output("-", options.json ? format_json(survey) : format_survey(survey));
  for (std::size_t k = 0; k < survey.tests.size(); ++k) {
    if (survey.tests[k].state != TestResult::State::failed) continue;
    throw Error(ErrorKind::device_failed,
                ocl::format_device(survey.list.devices[k]) + " failed its self-test",
                "update its driver; --device auto will not use it");
  }
}

}  // namespace

Command devices_command() {
  const auto options = std::make_shared<DevicesOptions>();
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
  add_opencl_options(command.options, options->opencl);
  command.run = [options](const std::vector<std::string>&) { run_devices(*options); };
  return command;
}

}  // namespace accord
