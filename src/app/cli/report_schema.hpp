// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// The JSON schema of the reports, as a text.
std::string report_schema();

/// The text of datasets/report.schema.json: the schema without the settings, which report_schema()
/// adds from the tables of options.
std::string_view report_schema_frame();

/// The fields of the schema with their meanings, for `accord help report`.
std::string format_report_fields();

}  // namespace accord
