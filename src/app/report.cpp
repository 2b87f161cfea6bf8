// SPDX-License-Identifier: Apache-2.0
#include "accord/app/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "accord/app/run_setup.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/io/text_input.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

Json faults_json(const DeviceFaults& faults) {
  return {{"faults", faults.faults},
          {"retries", faults.retries},
          {"moves", faults.moves},
          {"retired", faults.retired}};
}

Json cost_json(const RunCost& cost) {
  return {{"wall_s", cost.wall_seconds},
          {"cpu_s", cost.cpu_seconds},
          {"peak_bytes", cost.peak_bytes}};
}

/// Names and paths may hold any bytes; JSON text may not.
std::string text_of(const Json& report) {
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json parameters_json(const AlignOptions& options, const AlignSettings& settings) {
  const Parameters& p = settings.parameters;
  const char* tree = settings.tree == TreeMethod::upgma              ? "upgma"
                     : settings.tree == TreeMethod::neighbor_joining ? "nj"
                                                                     : settings.tree_file.c_str();
  return {{"mode", options.method.mode},
          {"tree", tree},
          {"cutoff", p.sparsity.cutoff},
          {"cells_per_residue", p.sparsity.cells_per_residue},
          {"consistency_rounds", p.consistency.rounds},
          {"consistency_cutoff", p.consistency.cutoff},
          {"consistency_self_weight", p.consistency.self_weight},
          {"refine_iterations", p.refine.iterations},
          {"threads", thread_count()}};
}

Json outputs_json(const OutputOptions& options, const AlignResult& result) {
  const std::vector<AlignmentOutput> outputs = alignment_outputs(options);
  Json files = Json::array();
  for (const AlignmentOutput& output : outputs) {
    files.push_back({{"path", output.file}, {"format", name_of(*output.format)}});
  }
  return {
      {"path", outputs.front().file}, {"columns", result.msa.columns}, {"files", std::move(files)}};
}

Json confidence_json(const AlignResult& result) {
  if (!result.confidence) return nullptr;
  const Confidence& confidence = *result.confidence;
  std::size_t sure = 0, paired = 0;
  for (const float column : confidence.column) {
    if (std::isnan(column)) continue;
    ++paired;
    sure += column >= 0.9f;
  }
  const auto number = [](double value, bool is_known) {
    return is_known ? Json(value) : Json(nullptr);
  };
  return {{"mean", number(confidence.mean, confidence.pairs > 0)},
          {"pairs", confidence.pairs},
          {"columns_ge_0.9",
           number(paired == 0 ? 0.0 : static_cast<double>(sure) / static_cast<double>(paired),
                  paired > 0)}};
}

}  // namespace

std::string format_report(const AlignOptions& options, const SequenceSet& set,
                          const AlignSettings& settings, const AlignResult& result,
                          const DeviceUse& use, const RunCost& cost) {
  Json stages = Json::array();
  for (const StageRecord& stage : result.stages) {
    stages.push_back({{"name", stage.name}, {"wall_s", stage.seconds}, {"detail", stage.detail}});
  }
  const Json report = {
      {"accord_version", ACCORD_VERSION},
      {"input",
       {{"path", family_label(options.input)},
        {"sequences", set.size()},
        {"type", to_string(set.type())},
        {"longest", set.size() ? set.length(0) : 0},
        {"shortest", set.size() ? set.length(set.size() - 1) : 0}}},
      {"parameters", parameters_json(options, settings)},
      {"device", use.names},
      {"device_faults", faults_json(use.faults)},
      {"output", outputs_json(options.output, result)},
      {"confidence", confidence_json(result)},
      {"posteriors", {{"cells", result.posterior_cells}, {"bytes", result.posterior_bytes}}},
      {"stages", stages},
      {"total", cost_json(cost)},
      {"warnings", logged_warnings()}};
  return text_of(report);
}

std::string format_batch_report(const BatchOptions& options,
                                const std::vector<BatchFamily>& families,
                                const std::vector<FamilyOutcome>& outcomes, const DeviceUse& use,
                                const RunCost& cost) {
  Json entries = Json::array();
  for (std::size_t k = 0; k < families.size(); ++k) {
    const FamilyOutcome& outcome = outcomes[k];
    Json entry = {{"id", families[k].id},
                  {"input", families[k].input},
                  {"output", families[k].output},
                  {"status", to_string(outcome.status)}};
    if (outcome.status == FamilyStatus::aligned) {
      entry["sequences"] = outcome.sequences;
      entry["columns"] = outcome.columns;
      entry["wall_s"] = outcome.seconds;
    }
    if (outcome.status == FamilyStatus::failed) entry["error"] = outcome.error;
    entries.push_back(std::move(entry));
  }
  return text_of({{"accord_version", ACCORD_VERSION},
                  {"input", options.input.files.front()},
                  {"output", options.folder},
                  {"shard", {options.shard.number, options.shard.count}},
                  {"mode", options.method.mode},
                  {"threads", thread_count()},
                  {"device", use.names},
                  {"device_faults", faults_json(use.faults)},
                  {"total", cost_json(cost)},
                  {"families", entries},
                  {"warnings", logged_warnings()}});
}

std::string format_parameters(const AlignOptions& options, const AlignSettings& settings) {
  return parameters_json(options, settings)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string format_multiqc(const AlignOptions& options, const SequenceSet& set,
                           const AlignResult& result, const DeviceUse& use, const RunCost& cost) {
  char figures[128];
  std::snprintf(figures, sizeof figures, "%zu\t%u\t%.4f\t%.3f\t", set.size(), result.msa.columns,
                result.confidence && result.confidence->pairs > 0 ? result.confidence->mean : 0.0,
                cost.wall_seconds);
  const std::string input = input_label(options.input.files.front());
  const std::string name = input.substr(input.rfind('/') + 1);
  return "# id: 'accord'\n# section_name: 'accord'\n"
         "# description: 'multiple sequence alignments'\n# plot_type: 'table'\n"
         "Sample\tsequences\tcolumns\tmean_confidence\twall_s\tdevice\n" +
         name + "\t" + figures + use.names + "\n";
}

}  // namespace accord
