// SPDX-License-Identifier: Apache-2.0
#include "app/commands/tree_search_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"

namespace accord {
namespace {

std::vector<SupportKind> parse_supports(const std::string& text) {
  std::vector<SupportKind> kinds;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = lower_case(text.substr(at, end - at));
    if (word == "sh-alrt") {
      kinds.push_back(SupportKind::sh_alrt);
    } else if (word == "alrt") {
      kinds.push_back(SupportKind::alrt);
    } else if (word == "abayes") {
      kinds.push_back(SupportKind::abayes);
    } else {
      usage_error("--support " + text + ": unknown",
                  "use sh-alrt, alrt or abayes, or several of them with commas between");
    }
    at = end + 1;
  }
  return kinds;
}

/// A percentage with one digit after the point, or a share with three.
std::string support_text(SupportKind kind, double support) {
  const bool is_percentage = kind == SupportKind::sh_alrt;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, is_percentage ? 100 * support : support,
                                 std::chars_format::fixed, is_percentage ? 1 : 3);
  return {text, end.ptr};
}

}  // namespace

void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix) {
  const auto add = [&](const char* name, const char* value, const std::string& help,
                       OptionTopic topic, std::function<void(const std::string&)> set) {
    table.push_back({.name = name,
                     .value = value,
                     .help = help,
                     .topic = topic,
                     .common = true,
                     .set = std::move(set)});
  };
  add("model", "MODEL",
      "the model, such as WAG+F+G4 or HKY+I; auto: the one of the lowest BIC" + suffix +
          " (LG+G4, or GTR+G4)",
      OptionTopic::method, keep_in(options.model));
  add("models", "FILE", "write the models that auto has fitted here (TSV)" + suffix,
      OptionTopic::output, keep_in(options.models_output));
  add("spr", "RADIUS",
      "after interchanges prune subtrees and regraft them within so many branches" + suffix +
          " (0)",
      OptionTopic::method, count_in(options.regraft_radius, "spr"));
  add("support", "KINDS",
      "label branches of the tree with their support: sh-alrt, alrt, abayes, or several with "
      "commas between" +
          suffix,
      OptionTopic::method,
      [&options](const std::string& text) { options.supports = parse_supports(text); });
}

void check_models_output(const TreeSearchOptions& options) {
  if (options.models_output.empty() || options.chooses_model()) return;
  usage_error("--models is for a choice of models", "add --model auto");
}

std::vector<std::string> support_labels(const TreeWithModel& state, const SitePatterns& patterns,
                                        const TreeSearchOptions& options, Scheduler& scheduler) {
  std::vector<std::string> labels(state.tree.nodes());
  const std::vector<std::vector<double>> supports =
      branch_supports(state, patterns, options.supports, scheduler);
  for (std::size_t k = 0; k < supports.size(); ++k) {
    for (std::size_t node = 0; node < labels.size(); ++node) {
      if (std::isnan(supports[k][node])) continue;
      if (k > 0) labels[node] += '/';
      labels[node] += support_text(options.supports[k], supports[k][node]);
    }
  }
  return labels;
}

}  // namespace accord
