// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "app/batch/batch_run.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/process_guard.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/report/index_page.hpp"
#include "app/report/report.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "io/confidence_writer.hpp"
#include "io/files/output_file.hpp"
#include "io/newick.hpp"

namespace accord {
namespace {

/// The options of the output, and those of how the batch is gone through.
void add_batch_options(OptionTable& table, BatchSettings& values) {
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
  table.push_back(
      {.name = "shard",
       .value = "I/N",
       .help = "align only the I-th of N parts of the families; the parts take about as long",
       .topic = OptionTopic::input,
       .common = true,
       .set = [&values](const std::string& text) { values.shard = parse_shard(text); }});
  table.push_back({.name = "resume",
                   .help =
                       "skip what is complete: aligned by this version from the same input with "
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

std::vector<BackendStage> stages_of(const MethodOptions& method) {
  std::vector<BackendStage> stages = {BackendStage::posteriors, BackendStage::consistency};
  if (method.is_local()) stages = {BackendStage::local_pairs};
  if (method.tree_method() == TreeMethod::neighbor_joining)
    stages.push_back(BackendStage::neighbor_joining);
  return stages;
}

/// A file beside an alignment.
constexpr const char *kTable = ".confidence.tsv", *kTree = ".dnd", *kPage = ".html";

std::string index_file(const BatchSettings& settings) {
  return (std::filesystem::path(settings.directory) / "index.html").string();
}

/// Refuses a batch of which, over all shards, two files would be the same one, or one an input.
void check_files(const BatchOptions& options, const BatchSettings& settings,
                 const std::vector<BatchFamily>& families) {
  std::vector<std::string> inputs = input_files(options, settings.method);
  std::vector<std::string> outputs = {options.report, options.messages.log, options.plan,
                                      BatchRecord::path_of(settings.directory, settings.shard)};
  if (options.writes_pages) outputs.push_back(index_file(settings));
  for (const BatchFamily& family : families) {
    inputs.push_back(family.input);
    outputs.push_back(family.output);
    const auto add = [&](const char* suffix) {
      outputs.push_back(path_beside(family.output, suffix));
    };
    if (options.writes_confidence) add(kTable);
    if (options.writes_trees) add(kTree);
    if (options.writes_pages) add(kPage);
  }
  check_apart(outputs, inputs);
}

/// Refuses what has no meaning where no family is aligned.
void check_plan(const BatchOptions& options, const BatchSettings& settings) {
  if (options.plan.empty()) return;
  const std::pair<std::string, bool> of_runs[] = {{"--shard", settings.shard.count > 1},
                                                  {"--resume", settings.resume},
                                                  {"--report", !options.report.empty()}};
  for (const auto& of_run : of_runs) {
    if (!of_run.second) continue;
    throw Error(ErrorKind::usage,
                "--plan and " + of_run.first + ": a plan is of all families, and aligns none",
                "leave out " + of_run.first + ", and name it where the plan is carried out");
  }
}

/// Has the files written that are to stand beside each alignment.
void set_beside(BatchSettings& settings, const BatchOptions& options) {
  const bool tables = options.writes_confidence, trees = options.writes_trees,
             pages = options.writes_pages;
  if (!tables && !trees && !pages) return;
  settings.beside_confidence = tables || pages;
  settings.beside_name =
      std::string(tables ? " confidence" : "") + (trees ? " tree" : "") + (pages ? " page" : "");
  settings.beside = [=, method = settings.method](const BatchFamily& family, const SequenceSet& set,
                                                  const AlignResult& result) {
    std::vector<Output> outputs;
    const auto add = [&](const char* suffix, std::string text) {
      outputs.push_back(make_output(path_beside(family.output, suffix), std::move(text)));
    };
    if (tables) {
      outputs.push_back({path_beside(family.output, kTable), [&set, &result](TextSink& out) {
                           write_confidence(set, result.msa, *result.confidence, out);
                         }});
    }
    if (trees) add(kTree, format_newick(result.tree, set));
    if (pages) {
      add(kPage, page_of(family.id, set, result,
                         "'accord batch --report' writes the report of all families.",
                         make_settings(method, set.type())));
    }
    return outputs;
  };
}

/// Throws  Error{batch_incomplete} if a family failed.
void check_outcomes(const std::vector<FamilyOutcome>& outcomes) {
  const std::size_t failed = count_of(outcomes, FamilyStatus::failed);
  if (failed == 0) return;
  throw Error(
      ErrorKind::batch_incomplete,
      std::to_string(failed) + " of " + std::to_string(outcomes.size()) + " families failed" +
          (count_of(outcomes, FamilyStatus::not_started) > 0 ? ", others were not started" : ""),
      "--report lists them; --resume tries again what is not complete");
}

void run_batch_command(const BatchOptions& options) {
  const Timer timer;
  set_end_note("finished families are kept, partial output was removed",
               "raise --time-limit; --resume goes on with the families that are not complete");
  BatchSettings settings = options.batch;
  settings.source = options.input;
  settings.with_checksums = !options.report.empty();
  check_settings(settings);
  check_plan(options, settings);
  set_beside(settings, options);
  const std::vector<BatchFamily> all = families_of(settings);
  check_files(options, settings, all);
  if (!options.plan.empty()) {
    start_run(options, input_files(options, settings.method), {options.plan});
    write_output(options.plan, format_plan(all, settings.source, settings.method));
    return;
  }
  const std::vector<BatchFamily> families = shard_of(all, settings.shard);
  make_directory(settings.directory);
  const std::string index = options.writes_pages ? index_file(settings) : "";
  start_run(options, input_files(options, settings.method), {options.report, index});
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  BatchRecord record(settings.directory, settings.shard);
  Computation computation(options, stages_of(settings.method), expected_work(families));
  log_verbose("accord " ACCORD_VERSION "  " + std::to_string(families.size()) + " families");
  log_verbose("device       " + computation.names());

  const BatchLimits limits = batch_limits(thread_count(), computation.expects_devices(), budget);
  const std::vector<FamilyOutcome> outcomes =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return run_batch(families, settings, limits, scheduler, record, progress);
      });
  const RunCost cost = run_cost(timer, budget);
  if (!options.report.empty()) {
    write_output(options.report,
                 format_batch_report(settings, families, outcomes, computation.use(), cost));
  }
  if (options.writes_pages) {
    write_output(index, format_index_page(settings.directory, families, outcomes));
  }
  log_notice(summary_of(outcomes, cost.wall_seconds));
  check_outcomes(outcomes);
}

}  // namespace

void parse_beside(const std::string& text, BatchOptions& options) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word == "confidence") {
      options.writes_confidence = true;
    } else if (word == "tree") {
      options.writes_trees = true;
    } else if (word == "page") {
      options.writes_pages = true;
    } else {
      throw Error(ErrorKind::usage, "--beside " + text + ": unknown word '" + word + "'",
                  "use confidence, tree and page, with commas");
    }
    at = end + 1;
  }
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
  return shard;
}

Command batch_command(std::shared_ptr<BatchOptions> options) {
  Command command{
      .name = "batch",
      .arguments = "SOURCE",
      .summary = "align many families in one process",
      .description =
          "Aligns every family of SOURCE: the FASTA files of a directory, or those of a manifest "
          "('-' "
          "is stdin), which has a line for each family: IN, ID<tab>IN, ID<tab>IN<tab>OUT, or these "
          "and the cells that --plan writes. The alignments, the same bytes as those of 'accord "
          "align', are written to the directory -O "
          "as "
          "ID.afa, or ID and the name of the format. Large families come first. A family that "
          "fails does not stop "
          "the others; the exit code is then 4.\n",
      .least_files = 1,
      .most_files = 1,
      .reads_directories = true};
  add_family_options(command.options, options->input);
  add_batch_options(command.options, options->batch);
  command.options.push_back(
      {.name = "beside",
       .value = "WHAT",
       .help = "write beside each alignment, too: confidence (ID.confidence.tsv), tree (ID.dnd), "
               "page (ID.html, and index.html, which lists the families of this run); with commas",
       .topic = OptionTopic::output,
       .common = true,
       .set = [options](const std::string& text) { parse_beside(text, *options); }});
  command.options.push_back(
      {.name = "plan",
       .value = "FILE",
       .help = "align nothing; write a manifest of all families here, with the cells that each "
               "will have, by which --shard then divides it evenly",
       .topic = OptionTopic::output,
       .set = keep_in(options->plan)});
  add_report_option(command.options, options->report);
  add_method_options(command.options, options->batch.method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_batch_command);
  return command;
}

}  // namespace accord
