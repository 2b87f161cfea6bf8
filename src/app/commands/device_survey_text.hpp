// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "run/devices/device_survey.hpp"

namespace accord {

/// The table that `accord devices` prints, with the faults of devices below it.
std::string format_survey(const DeviceSurvey& survey);

/// The same as JSON.
std::string format_survey_json(const DeviceSurvey& survey);

}  // namespace accord
