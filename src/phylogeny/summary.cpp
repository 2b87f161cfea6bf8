// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

namespace accord {
namespace {

/// A number with 10 significant digits.
std::string digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 10);
  return {text, end.ptr};
}

std::string line(const std::string& name, const std::string& value) {
  return name + '\t' + value + '\n';
}

/// Weights and rates of the categories, the slowest first.
std::string format_rates(const SubstitutionProcess& process) {
  std::vector<std::size_t> order(process.rates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return process.rates[a] < process.rates[b];
  });
  std::string text;
  for (std::size_t k = 0; k < order.size(); ++k) {
    text += line("weight_" + std::to_string(k + 1), digits(process.weights[order[k]]));
    text += line("rate_" + std::to_string(k + 1), digits(process.rates[order[k]]));
  }
  return text;
}

}  // namespace

std::size_t free_parameters(const TreeWithModel& state) {
  std::size_t count = 2 * std::size_t{state.tree.leaves} - 3;
  for (const ModelParameter& parameter : state.model.parameters) count += !parameter.is_given;
  if (state.model.frequencies == FrequencySource::counted) count += state.frequencies.size() - 1;
  if (state.model.frequencies == FrequencySource::codon_positions) count += 9;
  return count;
}

std::string format_summary(const FitResult& result, const SitePatterns& patterns) {
  const TreeWithModel& state = result.fitted;
  const double sites = std::accumulate(patterns.weights.begin(), patterns.weights.end(), 0.0);
  const auto free = static_cast<double>(free_parameters(state));
  const double logarithm = result.likelihood.total;
  std::string text =
      line("quantity", "value") + line("model", state.model.text) +
      line("sequences", std::to_string(patterns.tips)) + line("sites", digits(sites)) +
      line("patterns", std::to_string(patterns.observed())) +
      line("log_likelihood", digits(logarithm)) + line("free_parameters", digits(free)) +
      line("AIC", digits(2 * free - 2 * logarithm)) +
      line("BIC", digits(free * std::log(sites) - 2 * logarithm)) +
      line("tree_length", digits(std::accumulate(state.lengths.begin(), state.lengths.end(), 0.0)));
  for (std::size_t k = 0; k < state.values.size(); ++k) {
    const std::string& name = state.model.parameters[k].name;
    if (name != "weight" && name != "rate") text += line(name, digits(state.values[k]));
  }
  if (state.model.has_free_rates) text += format_rates(state.process());
  const std::string_view letters = state.model.states == StateKind::nucleotide ? "ACGT"
                                   : state.model.states == StateKind::amino_acid
                                       ? "ARNDCQEGHILKMFPSTWYV"
                                       : "";
  for (std::size_t s = 0; s < letters.size(); ++s) {
    text += line(std::string("frequency_") + letters[s], digits(state.frequencies[s]));
  }
  return text;
}

std::string format_sites(const Likelihood& likelihood,
                         const std::vector<std::uint32_t>& pattern_of) {
  std::string text = line("site", "log_likelihood");
  for (std::size_t c = 0; c < pattern_of.size(); ++c) {
    text += line(std::to_string(c + 1), digits(likelihood.sites[pattern_of[c]]));
  }
  return text;
}

std::string format_models(const std::vector<RankedModel>& models) {
  std::string text = "model\tlog_likelihood\tfree_parameters\tBIC\n";
  for (const RankedModel& model : models) {
    text += model.name + '\t' + digits(model.total) + '\t' + std::to_string(model.free) + '\t' +
            digits(model.bic) + '\n';
  }
  return text;
}

GuideTree tree_with_lengths(const TreeWithModel& state) {
  GuideTree tree = state.tree;
  for (std::size_t node = 0; node < state.lengths.size(); ++node) {
    tree.length[node] = state.lengths[node];
  }
  return tree;
}

}  // namespace accord
