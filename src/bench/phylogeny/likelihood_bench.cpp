// SPDX-License-Identifier: Apache-2.0
#include "bench/phylogeny/likelihood_bench.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "base/timer.hpp"
#include "phylogeny/likelihood/synthetic_likelihood.hpp"

namespace accord {
namespace {

OptionSpec size_option(const char* name, const char* help,
                       std::function<void(const std::string&)> set) {
  return {.name = name,
          .value = "N",
          .help = help,
          .topic = OptionTopic::input,
          .common = true,
          .set = std::move(set)};
}

OptionTable size_options(const std::shared_ptr<LikelihoodSizes>& sizes) {
  const auto count = [&](const char* name, const char* help, int& size, int least) {
    return size_option(name, help, [sizes, name, &size, least](const std::string& text) {
      size = parse_count(name, text, least);
    });
  };
  const auto choose_states = [sizes](const std::string& text) {
    sizes->states = parse_count("states", text, 4);
    if (sizes->states == 4 || sizes->states == 20 || sizes->states == 61) return;
    throw Error(ErrorKind::usage, "--states " + text + ": not 4, 20 or 61",
                "states are bases, amino acids or codons");
  };
  return {count("tips", "leaves of the tree whose likelihood is found (60)", sizes->tips, 3),
          count("patterns", "its site patterns (10000)", sizes->patterns, 1),
          size_option("states", "its states: 4, 20 or 61 (61)", choose_states),
          {.name = "precision",
           .value = "WHAT",
           .help = "of its partial likelihoods: double or single (double)",
           .topic = OptionTopic::input,
           .common = true,
           .set = choice_in(sizes->is_single, "precision", "double", "single")}};
}

}  // namespace

Measurement measure_likelihood(const LikelihoodSizes& sizes, Backend& backend, int repeats,
                               int seed) {
  const auto states = static_cast<std::uint32_t>(sizes.states);
  const auto tips = static_cast<std::uint32_t>(sizes.tips);
  const auto patterns = static_cast<std::size_t>(sizes.patterns);
  const SyntheticLikelihood made_up(
      {.states = states, .tips = tips, .patterns = patterns, .categories = states == 61 ? 1u : 4u},
      static_cast<std::uint64_t>(seed));
  LikelihoodTask task = made_up.task(false);
  if (sizes.is_single) task.precision = Precision::float32;
  const double seconds = fastest(repeats, [&] { likelihoods(backend, {&task, 1}); });
  const double of_node = double(states) * static_cast<double>(patterns) *
                         static_cast<double>(task.process.rates.size());
  const double branches = tips - 2;  // above inner nodes
  return {.stage = "likelihood",
          .seconds = seconds,
          .work = (tips - 1) * of_node,
          .unit = "partials",
          .multiply_adds = branches * of_node * states,
          .bytes = 2 * branches * of_node * static_cast<double>(bytes_of(task.precision)),
          .is_double = !sizes.is_single,
          .uploaded = static_cast<double>(tips * patterns),
          .downloaded = double(4 + bytes_of(task.precision)) * of_node / states};
}

BenchStage likelihood_bench() {
  const auto sizes = std::make_shared<LikelihoodSizes>();
  return {
      .stage = &LikelihoodCall::stage,
      .name = "likelihood",
      .what = "the likelihood of a made-up tree",
      .unit =
          "the likelihood in partial likelihoods (a value of a state, category of rates, "
          "pattern and inner node; 4 categories, 1 for 61 states)",
      .peaks =
          "a partial likelihood as a multiply-add of its precision for each state, and 8 "
          "bytes (single: 4) written and read",
      .options = size_options(sizes),
      .sizes =
          [sizes] {
            return std::vector<std::pair<std::string, int>>{
                {"states", sizes->states}, {"patterns", sizes->patterns}, {"tips", sizes->tips}};
          },
      .measure = [sizes](Backend& backend, int repeats,
                         int seed) { return measure_likelihood(*sizes, backend, repeats, seed); }};
}

}  // namespace accord
