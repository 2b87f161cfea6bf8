// SPDX-License-Identifier: Apache-2.0
#include "run/report/report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "io/files/utf8.hpp"
#include "io/structures/structure_records.hpp"
#include "io/trees/newick.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/method_text.hpp"
#include "run/report/given_run.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kReportVersion = 1;  // see the schema

/// Null for an empty text.
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json compute_json(const DeviceUse& use) {
  Json devices = Json::array();
  for (const UsedDevice& device : use.devices) {
    devices.push_back({{"id", device.id},
                       {"name", device.name},
                       {"platform", text_or_null(device.platform)},
                       {"driver", text_or_null(device.driver)},
                       {"pci", text_or_null(device.pci)},
                       {"self_test", device.self_test}});
  }
  const DeviceFaults& faults = use.faults;
  return {{"threads", thread_count()},
          {"devices", std::move(devices)},
          {"faults",
           {{"faults", faults.faults},
            {"retries", faults.retries},
            {"moves", faults.moves},
            {"retired", faults.retired}}}};
}

Json memory_json(const RunCost& cost) {
  return {{"peak_bytes", cost.peak_bytes},
          {"budget_bytes", cost.memory_budget ? Json(*cost.memory_budget) : Json(nullptr)}};
}

Json cost_json(const RunCost& cost) {
  return {{"wall_s", cost.wall_seconds}, {"cpu_s", cost.cpu_seconds}};
}

/// Names and paths may hold any bytes; JSON text may not.
std::string printed(const Json& report) {
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The value of a setting. A number of single precision has as few digits as possible: 0.01, not
/// 0.009999999776482582.
template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_same_v<T, float>) {
    char digits[32];
    return Json::parse(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  } else {
    return value;
  }
}

/// Everything besides the sequences that determines an alignment. `backbone`: the number of
/// sequences that are aligned with the whole method. `tree_sha256`: the checksum of a guide tree
/// from a file, else empty.
Json parameters_json(const FamilyInput& input, const AlignSettings& settings, std::size_t backbone,
                     const std::string& tree_sha256, bool keeps_columns) {
  const ConsistencyParams& consistency = settings.parameters.consistency;
  Json json;
  visit_settings(input.source, settings, input.set.type(),
                 [&](const char* name, const auto& value) { json[name] = json_of(value); });
  json["tree_sha256"] = text_or_null(tree_sha256);
  json["backbone_sequences"] = backbone;
  json["consistency_rounds"] = settings.is_local() ? 0 : consistency.rounds_for(backbone);
  json["consistency_self_weight"] = json_of(consistency.self_weight_for(backbone));
  json["keep_columns"] = keeps_columns;
  json["by_subsets"] = false;
  return json;
}

/// The parameters of a run that aligns.
Json parameters_json(const PreparedFamily& family, const std::string& tree_sha256) {
  Json json =
      parameters_json(family.input, family.settings, family.plan.backbone, tree_sha256, false);
  json["by_subsets"] = family.plan.by_subsets;
  return json;
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json input_json(const FamilyInput& input) {
  Json files = Json::array();
  for (const FileDigest& file : input.files) {
    files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  const SequenceSet& set = input.set;
  return {{"path", input.label},
          {"files", std::move(files)},
          {"sequences", set.size()},
          {"residues", set.coded().all_codes().size()},
          {"type", to_string(set.type())},
          {"type_detected", input.is_type_detected()},
          {"longest", set.size() ? set.length(0) : 0},
          {"shortest", set.size() ? set.length(set.size() - 1) : 0}};
}

Json output_json(const ResultRows& rows, const std::vector<WrittenFile>& written) {
  Json files = Json::array();
  for (const WrittenFile& output : written) {
    const bool is_known = !output.file.sha256.empty();
    files.push_back({{"kind", output.kind},
                     {"path", output.file.path},
                     {"format", text_or_null(output.format)},
                     {"bytes", is_known ? Json(output.file.bytes) : Json(nullptr)},
                     {"sha256", text_or_null(output.file.sha256)}});
  }
  const auto alignment = std::ranges::find(written, "alignment", &WrittenFile::kind);
  return {{"path", alignment == written.end() ? Json(nullptr) : Json(alignment->file.path)},
          {"columns", rows.columns},
          {"result_sha256", rows.sha256},
          {"files", std::move(files)}};
}

Json confidence_json(const std::optional<Confidence>& known) {
  if (!known) return nullptr;
  const Confidence& confidence = *known;
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

/// Adds the facts that are known to a report or to a family of it.
void add_facts(const FamilyFacts& facts, Json& report) {
  if (const auto& track = facts.track) {
    report["track"] = {{"weight", track->weight},
                       {"agreement", track->agreement ? Json(*track->agreement) : Json(nullptr)},
                       {"pairs", track->pairs}};
  }
  if (const auto& found = facts.superposition) {
    report["superposition"] = {{"pairs", found->pairs},
                               {"without_fit", found->no_fit},
                               {"too_large", found->too_large},
                               {"tm_score", found->tm_score}};
  }
}

/// The predicted models of a family; null if there are none.
Json predicted_json(const SequenceSet& set) {
  const PredictedModels found = predicted_models(set);
  if (found.models == 0) return nullptr;
  return {{"models", found.models}, {"residues", found.residues}, {"unsure", found.unsure}};
}

Json lddt_json(const std::optional<Lddt>& lddt) {
  if (!lddt) return nullptr;
  return {{"mean", lddt->pairs > 0 ? Json(lddt->mean) : Json(nullptr)}, {"pairs", lddt->pairs}};
}

Json stages_json(const std::vector<StageRecord>& records) {
  Json stages = Json::array();
  for (const StageRecord& stage : records) {
    stages.push_back({{"name", stage.name}, {"wall_s", stage.seconds}, {"detail", stage.detail}});
  }
  return stages;
}

/// How well the backbone of a large family stands for it.
Json fit_json(const std::optional<BackboneFit>& fit) {
  if (!fit) return nullptr;
  return {{"sequences", fit->sequences}, {"far", fit->far}, {"likeness", fit->likeness}};
}

/// The checksum of parameters of this version.
std::string checksum_of(const Json& parameters) {
  return parameters_checksum(ACCORD_VERSION, compact(parameters));
}

/// The report of a run that aligned a family.
Json report_json(const AlignRun& run, const ResultRows& rows,
                 const std::vector<WrittenFile>& files) {
  const RunCost cost = run.meter.cost();
  const Json parameters = parameters_json(run.family, tree_checksum(run.family, run.result.tree));
  Json report = {{"schema_version", kReportVersion},
                 {"accord_version", ACCORD_VERSION},
                 {"command", run.command},
                 {"exit_code", 0},
                 {"input", input_json(run.family.input)},
                 {"options", Json::parse(format_method(run.family.settings.options))},
                 {"parameters", parameters},
                 {"parameters_sha256", checksum_of(parameters)},
                 {"output", output_json(rows, files)},
                 {"confidence", confidence_json(run.result.confidence)},
                 {"track", nullptr},
                 {"superposition", nullptr},
                 {"predicted_models", predicted_json(run.family.set())},
                 {"lddt", lddt_json(run.result.lddt)},
                 {"backbone_fit", fit_json(run.family.plan.fit)},
                 {"compute", compute_json(run.use)},
                 {"posteriors",
                  {{"cells", run.result.posterior_cells}, {"bytes", run.result.posterior_bytes}}},
                 {"stages", stages_json(run.result.stages)},
                 {"memory", memory_json(cost)},
                 {"total", cost_json(cost)},
                 {"warnings", logged_warnings()}};
  add_facts(run.result.facts, report);
  return report;
}

}  // namespace

RunCost CostMeter::cost() const {
  return {timer_.seconds(), process_cpu_seconds() - cpu_before_, process_peak_bytes(),
          memory_budget_};
}

ResultRows result_rows(const AlignmentText& plain) {
  Sha256 hash;
  hand_on([&](TextSink& out) { write_alignment(plain, AlignmentFormat::fasta, 0, out); },
          [&](std::string_view part) { hash.add(part); });
  return {plain.columns, hash.digits()};
}

std::string tree_checksum(const PreparedFamily& family, const GuideTree& tree) {
  return family.settings.tree == TreeMethod::file ? sha256(format_newick(tree, family.set())) : "";
}

std::string reported_parameters(const PreparedFamily& family, const std::string& tree_sha256) {
  return compact(parameters_json(family, tree_sha256));
}

std::string parameters_checksum(const std::string& version, const std::string& parameters) {
  return sha256(version + "\n" + parameters);
}

std::string format_report(const AlignRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files) {
  return printed(report_json(run, rows, files));
}

std::string format_report(const GivenRun& run, const ResultRows& rows,
                          const std::vector<WrittenFile>& files) {
  const RunCost cost = run.meter.cost();
  std::size_t given = 0;
  for (const AlignedPart& part : run.given.parts()) given += part.members.size();
  const Json parameters =
      parameters_json(run.given.input(), run.settings, 0, "", run.keeps_columns);
  Json report = {{"schema_version", kReportVersion},
                 {"accord_version", ACCORD_VERSION},
                 {"command", run.command},
                 {"exit_code", 0},
                 {"input", input_json(run.given.input())},
                 {"given", {{"alignments", run.given.parts().size()}, {"sequences", given}}},
                 {"parameters", parameters},
                 {"parameters_sha256", checksum_of(parameters)},
                 {"output", output_json(rows, files)},
                 {"confidence", confidence_json(run.combined.confidence)},
                 {"compute", compute_json(run.use)},
                 {"stages", stages_json(run.combined.stages)},
                 {"memory", memory_json(cost)},
                 {"total", cost_json(cost)},
                 {"warnings", logged_warnings()}};
  add_facts(run.combined.facts, report);
  return printed(report);
}

std::string format_batch_report(const BatchSettings& settings,
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
      entry["input_sha256"] = outcome.input_sha256;
      entry["output_sha256"] = outcome.output_sha256;
      add_facts(outcome.facts, entry);
      for (const auto& [name, value] : outcome.track_settings) entry[name] = value;
    }
    if (outcome.status == FamilyStatus::failed) entry["error"] = outcome.error;
    entries.push_back(std::move(entry));
  }
  const bool has_failed = std::any_of(
      outcomes.begin(), outcomes.end(),
      [](const FamilyOutcome& outcome) { return outcome.status == FamilyStatus::failed; });
  return printed({{"schema_version", kReportVersion},
                  {"accord_version", ACCORD_VERSION},
                  {"command", "batch"},
                  {"exit_code", has_failed ? exit_code(ErrorKind::batch_incomplete) : 0},
                  {"input", family_label(settings.source)},
                  {"output", settings.directory},
                  {"shard", {{"number", settings.shard.number}, {"count", settings.shard.count}}},
                  {"compute", compute_json(use)},
                  {"families", entries},
                  {"memory", memory_json(cost)},
                  {"total", cost_json(cost)},
                  {"warnings", logged_warnings()}});
}

std::string format_failure_report(const FailedRun& run, const RunCost& cost) {
  return printed({{"schema_version", kReportVersion},
                  {"accord_version", ACCORD_VERSION},
                  {"command", run.command},
                  {"exit_code", run.exit_code},
                  {"error",
                   {{"text", as_utf8(run.error)},
                    {"hint", text_or_null(as_utf8(run.hint))},
                    {"signal", text_or_null(run.signal)}}},
                  {"inputs", run.inputs},
                  {"memory", memory_json(cost)},
                  {"total", cost_json(cost)},
                  {"warnings", logged_warnings()}});
}

std::string format_parameters(const PreparedFamily& family) {
  return compact(parameters_json(family, family.settings.tree_file));
}

}  // namespace accord
