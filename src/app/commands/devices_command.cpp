// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/device_survey_text.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "engine/opencl/kernel_source.hpp"
#include "io/files/output_file.hpp"
#include "run/devices/device_survey.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {
namespace {

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
