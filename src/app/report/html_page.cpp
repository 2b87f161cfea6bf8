// SPDX-License-Identifier: Apache-2.0
#include "app/report/html_page.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "accord/base/error.hpp"

namespace accord {
namespace {

using nlohmann::ordered_json;

/// The tree with the row of each leaf, by canonical index of the sequence.
ordered_json tree_json(const GuideTree& tree) {
  std::vector<std::uint32_t> row(tree.leaves);
  const std::vector<std::uint32_t> order = leaves_in_order(tree);
  for (std::uint32_t r = 0; r < order.size(); ++r) row[order[r]] = r;
  return {{"row", row},
          {"left", tree.left},
          {"right", tree.right},
          {"length", with_branch_lengths(tree).length}};
}

/// Three decimals; null for NaN.
ordered_json values_json(const std::vector<float>& values) {
  ordered_json columns = ordered_json::array();
  for (const float probability : values) {
    if (std::isnan(probability)) {
      columns.push_back(nullptr);
    } else {
      columns.push_back(std::round(probability * 1e3) / 1e3);
    }
  }
  return columns;
}

ordered_json tracks_json(const std::vector<PageTrack>& tracks) {
  ordered_json list = ordered_json::array();
  for (const PageTrack& track : tracks) {
    list.push_back(
        {{"name", utf8_texts({track.name}).front()}, {"values", values_json(track.values)}});
  }
  return list;
}

/// JSON text that cannot end the element of the page that it stands in.
std::string embedded(const ordered_json& json) {
  const std::string text = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string format_page(const std::string& title, const AlignmentText& alignment,
                        double mean_confidence, const GuideTree* tree, const std::string& report,
                        const PageMeasure& measure) {
  // A page has few rows, and so their texts are made.
  std::vector<std::string> codes;
  for (std::size_t r = 0; r < alignment.residue_codes.size(); ++r) {
    codes.push_back(alignment.has_codes(r) ? alignment.posterior_codes(r) : "");
  }
  ordered_json data = {{"title", title},
                       {"type", to_string(alignment.type)},
                       {"columns", alignment.columns},
                       {"names", utf8_texts(alignment.names)},
                       {"headers", utf8_texts(alignment.headers)},
                       {"rows", alignment.rows.texts()},
                       {"codes", codes},
                       {"confidence", values_json(alignment.column_confidence)},
                       {"measure", measure.name},
                       {"tracks", tracks_json(measure.tracks)},
                       {"mean", nullptr},
                       {"tree", nullptr},
                       {"report", report}};
  if (!std::isnan(mean_confidence)) data["mean"] = mean_confidence;
  if (tree != nullptr) data["tree"] = tree_json(*tree);
  constexpr std::string_view kPlace = "@DATA@";
  std::string page(alignment_page());
  const std::size_t at = page.find(kPlace);
  if (at == page.npos) throw Error(ErrorKind::internal, "the page has no place for its data");
  return page.replace(at, kPlace.size(), embedded(data));
}

}  // namespace accord
