// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// The JSON schema of the reports, as it stands in datasets/report.schema.json.
std::string_view report_schema();

/// Its fields with what they mean, a line or two each, for `accord help report`.
std::string format_report_fields();

}  // namespace accord
