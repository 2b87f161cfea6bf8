// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "format_texts.hpp"

namespace accord {

std::string format_alignment_json(const AlignmentText& alignment) {
  using nlohmann::ordered_json;
  ordered_json sequences = ordered_json::array();
  const bool has_codes = !alignment.posterior_codes.empty();
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    ordered_json sequence = {
        {"name", alignment.names[r]}, {"header", alignment.headers[r]}, {"row", alignment.rows[r]}};
    if (has_codes) sequence["posterior_code"] = alignment.posterior_codes[r];
    sequences.push_back(std::move(sequence));
  }
  ordered_json json = {{"accord_version", ACCORD_VERSION},
                       {"type", to_string(alignment.type)},
                       {"columns", alignment.columns},
                       {"sequences", std::move(sequences)}};
  if (has_codes) {
    ordered_json columns = ordered_json::array();
    for (const float probability : alignment.column_confidence) {
      if (std::isnan(probability)) {
        columns.push_back(nullptr);
      } else {
        columns.push_back(std::round(probability * 1e4) / 1e4);
      }
    }
    json["column_confidence"] = std::move(columns);
  }
  // Names may hold any bytes; JSON text may not.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace accord
