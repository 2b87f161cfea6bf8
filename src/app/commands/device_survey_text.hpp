// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "run/devices/device_survey.hpp"

namespace accord {

/// The table that `accord devices` prints, and below it the problems of devices.
std::string format_survey(const DeviceSurvey& survey);

/// The same as JSON.
std::string format_survey_json(const DeviceSurvey& survey);

}  // namespace accord
