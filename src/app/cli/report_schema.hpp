// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// The JSON schema of the reports.
std::string report_schema();

/// datasets/report.schema.json: the schema without the settings that follow from
/// the tables of options.
std::string_view report_schema_frame();

/// Its fields with what they mean, a line or two each, for `accord help report`.
std::string format_report_fields();

}  // namespace accord
