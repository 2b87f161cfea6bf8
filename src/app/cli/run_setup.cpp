// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_setup.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>

#include "accord/base/error.hpp"
#include "app/cli/process_guard.hpp"
#include "app/cli/timeline_file.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/input_files.hpp"
#include "io/files/output_file.hpp"
#include "io/structures/structure_records.hpp"
#include "run/estimate/estimate.hpp"
#include "run/report/report.hpp"

namespace accord {

void check_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::unordered_map<std::string, std::string> named;  // by identity
  for (const std::string& input : inputs) {
    // Standard input may be redirected from a file.
    if (!input.empty()) named.emplace(file_identity(input == "-" ? "/dev/fd/0" : input), input);
  }
  std::unordered_map<std::string, std::string> written;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    const std::string identity = file_identity(output);
    if (identity.empty()) continue;
    if (const auto input = named.find(identity); input != named.end()) {
      throw Error(ErrorKind::usage,
                  "the output " + (output == "-" ? "to stdout" : output) +
                      " would replace the input " + input->second,
                  "choose another name");
    }
    const auto [other, is_new] = written.emplace(identity, output);
    if (is_new) continue;
    const std::string first = other->second == "-" ? "stdout" : other->second;
    const std::string second = output == "-" ? "stdout" : output;
    throw Error(
        ErrorKind::usage,
        "two outputs to " + second + (first == second ? "" : ", which is " + first + ", too"),
        "name a file for each, or use -o");
  }
}

std::vector<std::string> named_files(const RunOptions& options, const MethodOptions& method) {
  std::vector<std::string> files;
  for (InputFile& file : files_of_inputs(options.input.files))
    files.push_back(std::move(file.path));
  std::ranges::copy(options.input.track.files(), std::back_inserter(files));
  std::ranges::copy(method.files(), std::back_inserter(files));
  return files;
}

std::vector<std::string> input_files(const RunOptions& options, const MethodOptions& method) {
  check_options(method);
  return named_files(options, method);
}

void start_run(const RunOptions& options, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, const ExpectedReport& report) {
  std::vector<std::string> files = outputs;
  files.push_back(options.trace);
  std::erase(files, std::string());
  const std::string& log = options.messages.log;
  std::vector<std::string> names = files;
  if (!log.empty()) names.push_back(log);
  check_apart(names, inputs);
  set_log_file(log);
  set_timeline_file(options.trace);
  report_failure_to(report, options);
  for (const std::string& file : files) check_output_writable(file);
  if (options.compute.time_limit) set_time_limit(*options.compute.time_limit);
  set_thread_count(chosen_threads(options.compute));
}

void log_stage(const StageRecord& stage) {
  log_verbose(
      formatted("%-12s %9.3f s  %s", stage.name.c_str(), stage.seconds, stage.detail.c_str()));
}

void log_run(const PreparedFamily& family, const RunDevices& devices, double read_seconds) {
  const FamilyInput& input = family.input;
  const SequenceSet& set = input.set;
  const std::uint32_t longest = set.size() ? set.length(0) : 0;
  const std::uint32_t shortest = set.size() ? set.length(set.size() - 1) : 0;
  log_verbose("accord " ACCORD_VERSION "  " + counted(set.size(), "sequence") + ", " +
              std::string(to_string(set.type())) + (input.is_type_detected() ? " (detected)" : "") +
              ", length " + std::to_string(shortest) + "-" + std::to_string(longest) +
              "  parameters " + family.settings.parameter_set);
  log_verbose("device       " + devices.names());
  log_detail("parameters   " + format_parameters(family));
  if (family.plan.fit) {
    log_verbose("backbone     " + counted(family.plan.backbone, "sequence") + ": " +
                to_string(*family.plan.fit) +
                (family.plan.by_subsets ? "; aligned by subsets" : ""));
  }
  if (const PredictedModels models = predicted_models(set); models.models > 0) {
    log_verbose("predicted    " + to_string(models));
  }
  log_stage({"read", read_seconds, counted(set.size(), "sequence")});
}

void log_facts(const FamilyFacts& facts) {
  if (!facts.track) return;
  const TrackWeight& track = *facts.track;
  std::string text = formatted("track        weight %.3f", track.weight);
  if (track.agreement) {
    text += formatted(", agreement %.3f in ", *track.agreement) + counted(track.pairs, "pair");
  }
  log_verbose(text);
}

void log_cost(const RunCost& cost) {
  log_verbose(formatted("accord " ACCORD_VERSION "  total %.3f s, cpu %.3f s, peak memory ",
                        cost.wall_seconds, cost.cpu_seconds) +
              format_bytes(static_cast<double>(cost.peak_bytes)));
}

double input_seconds(const FamilySource& source) {
  double letters = 0;
  for (const InputFile& file : files_of_inputs(source.files)) {
    const std::optional<std::uintmax_t> bytes = file_size(file.path);
    if (!bytes) return std::numeric_limits<double>::infinity();
    letters += file_letters(file.path, *bytes);
  }
  return host_seconds(file_work(letters), thread_count());
}

RowsOrSequences read_for_distances(const RunOptions& options, const MethodOptions& method,
                                   bool is_aligned) {
  FamilySource source = options.input;
  source.reading.removes_gaps |= !method.is_empty();
  return read_rows_or_sequences(source, is_aligned);
}

RunDevices open_devices(const RunOptions& options, std::vector<const Stage*> stages,
                        double host_seconds, bool needs_doubles) {
  return RunDevices({.device = options.compute.device,
                     .opencl = options.compute.opencl,
                     .stages = std::move(stages),
                     .host_seconds = host_seconds,
                     .needs_doubles = needs_doubles,
                     .in_background = true,
                     .on_standstill = end_at_standstill});
}

}  // namespace accord
