// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/failure_report.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/process_guard.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/input_files.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/formats.hpp"
#include "run/alignment_stages.hpp"
#include "run/batch/batch_list.hpp"
#include "run/batch/batch_run.hpp"
#include "run/estimate/estimate.hpp"
#include "run/report/index_page.hpp"
#include "run/report/multiqc.hpp"
#include "run/report/report.hpp"

namespace accord {
namespace {

void check_settings(const BatchSettings& settings) {
  if (settings.directory.empty()) {
    throw Error(ErrorKind::usage, "batch needs an output directory", "name it with -O DIR");
  }
  if (settings.method.tree_method() == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "--tree " + settings.method.tree_file() + ": batch has many families",
                "a guide tree is of one family: use upgma or nj, or align it alone");
  }
}

/// The page that lists the families of a run. Each shard has its page, in one directory.
std::string index_file(const BatchSettings& settings) {
  const Shard& shard = settings.shard;
  const std::string of_shard =
      shard.count == 1 ? ""
                       : "-" + std::to_string(shard.number) + "-of-" + std::to_string(shard.count);
  return joined_path(settings.directory, "index" + of_shard + ".html");
}

/// Refuses a batch if two of its outputs, over all shards, are the same file, or one is an input.
void check_files(const BatchOptions& options, const BatchSettings& settings,
                 const std::vector<BatchFamily>& families) {
  std::vector<std::string> inputs = input_files(options, settings.method);
  std::vector<std::string> outputs = {
      options.report, options.multiqc, options.messages.log,
      options.trace,  options.plan,    BatchRecord::path_of(settings.directory, settings.shard)};
  if (options.beside.pages) outputs.push_back(index_file(settings));
  for (const BatchFamily& family : families) {
    for (InputFile& file : files_of_inputs({family.input})) inputs.push_back(std::move(file.path));
    if (family.track) inputs.push_back(*family.track);
    outputs.push_back(family.output);
    for (std::string& path : paths_beside(family, options.beside)) {
      outputs.push_back(std::move(path));
    }
  }
  check_apart(outputs, inputs);
}

/// Refuses options that have no effect with --plan, which aligns no family.
void check_plan(const BatchOptions& options, const BatchSettings& settings) {
  if (options.plan.empty()) return;
  const std::pair<std::string, bool> of_runs[] = {{"--shard", settings.shard.count > 1},
                                                  {"--resume", settings.resume},
                                                  {"--report", !options.report.empty()},
                                                  {"--multiqc", !options.multiqc.empty()}};
  for (const auto& of_run : of_runs) {
    if (!of_run.second) continue;
    throw Error(ErrorKind::usage,
                "--plan and " + of_run.first + ": a plan is of all families, and aligns none",
                "leave out " + of_run.first + ", and name it where the plan is carried out");
  }
}

/// Throws  Error{batch_incomplete} if a family failed.
void check_outcomes(const std::vector<FamilyOutcome>& outcomes) {
  const std::size_t failed = count_of(outcomes, FamilyStatus::failed);
  if (failed == 0) return;
  throw Error(
      ErrorKind::batch_incomplete,
      std::to_string(failed) + " of " + counted(outcomes.size(), "family", "families") + " failed" +
          (count_of(outcomes, FamilyStatus::not_started) > 0 ? ", others were not started" : ""),
      "--report lists them; --resume tries the others again");
}

void run_batch_command(const BatchOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  set_end_note("finished families are kept, partial output was removed",
               "raise --time-limit; --resume goes on with the families that are not complete");
  BatchSettings settings = options.batch;
  settings.source = options.input;
  settings.with_checksums = !options.report.empty();
  check_settings(settings);
  check_plan(options, settings);
  request_beside_files(settings, options.beside);
  settings.beside_confidence |= !options.multiqc.empty();
  check_apart({options.report}, options.input.files);
  report_failure_to({options.report, "batch"}, options);
  const std::vector<BatchFamily> all = families_of(settings);
  if (!options.allows_outside) check_outputs_inside(all);
  keep_report();  // it may be an input
  check_files(options, settings, all);
  report_failure_to({options.report, "batch"}, options);
  if (!options.plan.empty()) {
    start_run(options, input_files(options, settings.method), {options.plan});
    write_output(options.plan, format_plan(all, settings.source, settings.method));
    return;
  }
  const std::vector<BatchFamily> families = shard_of(all, settings.shard);
  make_directory(settings.directory);
  const std::string index = options.beside.pages ? index_file(settings) : "";
  start_run(options, input_files(options, settings.method),
            {options.report, options.multiqc, index}, {options.report, "batch"});
  BatchRecord record(settings.directory, settings.shard);
  RunDevices devices = open_devices(options, all_stages(settings.method),
                                    host_seconds(expected_work(families), thread_count()));
  log_verbose("accord " ACCORD_VERSION "  " + counted(families.size(), "family", "families"));
  log_verbose("device       " + devices.names());

  const std::vector<FamilyOutcome> outcomes = with_progress(
      options, devices,
      [&](const RunContext& context) { return run::batch(families, settings, record, context); });
  const RunCost cost = meter.cost();
  if (!options.report.empty()) {
    write_output(options.report,
                 format_batch_report(settings, families, outcomes, devices.use(), cost));
  }
  keep_report();
  if (!options.multiqc.empty()) {
    write_output(options.multiqc, format_batch_multiqc(families, outcomes, devices.use().names));
  }
  if (options.beside.pages) {
    write_output(index, format_index_page(settings.directory, families, outcomes));
  }
  log_notice(summary_of(outcomes, cost.wall_seconds));
  check_outcomes(outcomes);
}

/// Adds the options of the output, and those about the order and the course of the batch.
void add_run_settings(OptionTable& table, BatchSettings& values, bool& allows_outside) {
  table.push_back({.name = "out-dir",
                   .letter = 'O',
                   .value = "DIR",
                   .help = "write the alignments here; the directory is made if it is not there",
                   .topic = OptionTopic::output,
                   .common = true,
                   .dash = Dash::nothing,
                   .set = keep_in(values.directory)});
  table.push_back({.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .help = writable_formats() + " (fasta)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = [&values](const std::string& text) {
                     values.format = parse_format("format", text);
                   }});
  table.push_back({.name = "allow-outside",
                   .help = "let OUT of a manifest name files outside the directory -O: ../x or /x",
                   .topic = OptionTopic::output,
                   .set = flag_in(allows_outside)});
  table.push_back(
      {.name = "shard",
       .value = "I/N",
       .help = "align only the I-th of N parts of the families; the parts take about as long",
       .topic = OptionTopic::input,
       .common = true,
       .set = [&values](const std::string& text) { values.shard = parse_shard(text); }});
  table.push_back({.name = "resume",
                   .help =
                       "skip complete families: aligned by this version from the same input with "
                       "the same options, and unchanged since",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.resume)});
  table.push_back({.name = "keep-going",
                   .help = "start further families even after an error that concerns all of them, "
                           "such as an output that cannot be written",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.keep_going)});
}

/// Reads "confidence,tree,page".
/// Throws  Error{usage}
void parse_beside(const std::string& text, BesideFiles& beside) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word == "confidence") {
      beside.confidence = true;
    } else if (word == "tree") {
      beside.trees = true;
    } else if (word == "page") {
      beside.pages = true;
    } else {
      throw Error(ErrorKind::usage, "--beside " + text + ": unknown word '" + word + "'",
                  "use confidence, tree and page, with commas");
    }
    at = end + 1;
  }
}

}  // namespace

Command batch_command(std::shared_ptr<BatchOptions> options) {
  Command command{
      .name = "batch",
      .arguments = "SOURCE...",
      .summary = "align many families in one process",
      .description =
          "Aligns every family of SOURCE: files of sequences, those of a directory, or those of a "
          "manifest ('-' is stdin), which has a line for each family: IN, ID<tab>IN, "
          "ID<tab>IN<tab>OUT, or these and the cells that --plan writes, or these and TRACK, the "
          "tracks of the family. IN may be a folder of structures. Of a directory, batch takes "
          "files with a suffix of sequences, those without one or with .txt that begin as FASTA, "
          "and folders of structures; a warning names what it leaves out. If there are alignments "
          "alone, it takes these, unless they may be results. The alignments, the same bytes as "
          "those of 'accord align', are written to the directory -O as ID.afa, or ID and the "
          "suffix of the format. Large families come first. A family that fails does not stop the "
          "others; the exit code is then 4.\n"
          "\n"
          "--track names the tracks of all families: a folder with a FASTA file ID.fa for each, a "
          "path with {} in the place of ID, GR:TAG or GC:TAG. TRACK of a manifest is a "
          "file, GR:TAG or GC:TAG.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber,
      .reads_directories = true};
  add_batch_options(command.options, *options);
  command.run = with_files(options, run_batch_command);
  return command;
}

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second =
      has_slash ? std::from_chars(first.ptr + 1, end, shard.count) : std::from_chars_result{};
  if (!has_slash || second.ec != std::errc() || second.ptr != end || shard.number < 1 ||
      shard.number > shard.count) {
    throw Error(ErrorKind::usage, "--shard " + text + ": not a part of a whole",
                "the parts of 16 are 1/16 to 16/16");
  }
  constexpr std::size_t kMost = 1'000'000;
  if (shard.count > kMost) {
    throw Error(ErrorKind::usage, "--shard " + text + ": too many parts",
                "use " + std::to_string(kMost) + " or less");
  }
  return shard;
}

void add_batch_options(OptionTable& table, BatchOptions& values) {
  add_family_options(table, values.input);
  add_track_options(table, values.input);
  add_run_settings(table, values.batch, values.allows_outside);
  table.push_back(
      {.name = "beside",
       .value = "WHAT",
       .help = "write beside each alignment, too: confidence (ID.confidence.tsv), tree (ID.dnd), "
               "page (ID.html, and index.html, of a shard index-I-of-N.html, which lists the "
               "families); with commas",
       .topic = OptionTopic::output,
       .common = true,
       .set = [&values](const std::string& text) { parse_beside(text, values.beside); }});
  table.push_back(
      {.name = "plan",
       .value = "FILE",
       .help = "align nothing; write a manifest of all families here, with the cells that each "
               "will have, by which --shard then divides it evenly",
       .topic = OptionTopic::output,
       .set = keep_in(values.plan)});
  add_report_option(table, values.report);
  add_multiqc_option(table, "a row about each family", values.multiqc);
  add_method_options(table, values.batch.method);
  add_run_options(table, values);
}

}  // namespace accord
