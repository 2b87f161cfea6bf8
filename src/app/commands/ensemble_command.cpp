// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"
#include "io/families/track_writer.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/efa.hpp"
#include "io/formats/formats.hpp"
#include "method/ensemble.hpp"
#include "method/method_options.hpp"
#include "method/track_weight.hpp"
#include "run/alignment_stages.hpp"
#include "run/ensemble_run.hpp"
#include "run/estimate/estimate.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/ensemble_report.hpp"
#include "run/report/report.hpp"

namespace accord {
namespace {

/// The form in which an ensemble is written.
enum class EnsembleForm {
  efa,          ///< all replicates in one file
  folder,       ///< a file for each replicate
  concatenated  ///< one alignment with the columns of all replicates
};

/// The files of an ensemble.
struct EnsembleFiles {
  std::string path = "-";  ///< of the replicates; "-" is standard output
  EnsembleForm form = EnsembleForm::efa;
  AlignmentFormat format = AlignmentFormat::fasta;
  std::optional<std::size_t> wrap;
  LetterCase letter_case = LetterCase::keep;
  std::string columns;     ///< confidence of columns; empty: not written, as are the next four
  std::string replicates;  ///< table of the replicates
  std::string report;
  std::string html;      ///< page of the replicates
  std::string name_map;  ///< the table of format_name_map
};

/// The rows of all replicates, with the tracks of the input in Stockholm.
std::vector<AlignmentText> texts_of(const FamilyInput& input, const Ensemble& ensemble,
                                    const EnsembleFiles& files) {
  std::vector<AlignmentText> texts;
  for (const Replicate& replicate : ensemble.replicates) {
    const Msa& msa = replicate.aligned.msa;
    const std::optional<Confidence>& confidence = replicate.aligned.confidence;
    texts.push_back(make_alignment_text(input.set, msa, confidence ? &*confidence : nullptr,
                                        {files.letter_case}));
    if (files.format != AlignmentFormat::stockholm || files.form == EnsembleForm::efa) continue;
    add_track_lines(texts.back(), input.set, msa, track_tag(input.source.track));
  }
  return texts;
}

/// Whether one of the files has the report, which lists the checksums of all inputs and outputs.
bool needs_checksums(const EnsembleFiles& files) {
  return !files.report.empty() || !files.html.empty();
}

/// The paths of the files whose names do not depend on the replicates; the path of a file that is
/// not written is empty.
std::vector<std::string> paths_of(const EnsembleFiles& files) {
  std::vector<std::string> paths = {files.columns, files.replicates, files.report, files.html,
                                    files.name_map};
  if (files.form != EnsembleForm::folder) paths.push_back(files.path);
  return paths;
}

/// The files of the replicates in a folder, in order.
std::vector<std::string> paths_in_folder(const EnsembleFiles& files, const Ensemble& ensemble) {
  std::vector<std::string> paths;
  for (const Replicate& replicate : ensemble.replicates) {
    const std::string name = replicate.name() + suffix_of(files.format);
    paths.push_back(joined_path(files.path, name));
  }
  return paths;
}

/// Writes the files of an ensemble, the replicates last. `run` is that of the first replicate.
/// Throws  as OutputFiles.
void write_files(const AlignRun& run, const Ensemble& ensemble, const EnsembleFiles& files) {
  RunFiles style;
  style.wrap = files.wrap;
  OutputList outputs(needs_checksums(files));
  const std::vector<AlignmentText> texts = texts_of(run.family.input, ensemble, files);
  const AlignmentText joined =
      files.form == EnsembleForm::concatenated ? concatenated(texts) : AlignmentText();
  switch (files.form) {
    case EnsembleForm::efa:
      outputs.add("ensemble", {files.path, [&](TextSink& out) {
                                 std::vector<std::string> names;
                                 for (const Replicate& replicate : ensemble.replicates) {
                                   names.push_back(replicate.name());
                                 }
                                 write_efa(names, texts, files.wrap, out);
                               }});
      break;
    case EnsembleForm::folder: {
      const std::vector<std::string> paths = paths_in_folder(files, ensemble);
      warn_of_format(texts.front(), files.format);
      for (std::size_t r = 0; r < texts.size(); ++r) {
        outputs.add("alignment", alignment_output(texts[r], {paths[r], files.format}, style),
                    std::string(format_name(files.format)));
      }
      break;
    }
    case EnsembleForm::concatenated:
      outputs.add({files.path, files.format}, joined, style);
      break;
  }
  if (!files.name_map.empty()) {
    outputs.add("name-map", make_output(files.name_map, format_name_map(texts.front())));
  }
  if (!files.replicates.empty()) {
    outputs.add("replicates", make_output(files.replicates, format_replicates(ensemble)));
  }
  if (!files.columns.empty()) {
    outputs.add("column-confidence",
                {files.columns, [&](TextSink& out) { write_column_confidence(ensemble, out); }});
  }
  ResultRows rows;
  if (needs_checksums(files)) {
    rows = result_rows(make_alignment_text(run.family.set(), run.result.msa));
  }
  if (!files.html.empty()) {
    const std::string report = format_report(run, ensemble, rows, outputs.written());
    outputs.add("html", make_output(files.html,
                                    run::ensemble_page(run, ensemble, report, files.letter_case)));
  }
  if (!files.report.empty()) {
    outputs.add("report", make_output(files.report,
                                      format_report(run, ensemble, rows,
                                                    outputs.written_with_report(files.report))));
  }
  outputs.finish();
}

/// The options of `accord ensemble`.
struct EnsembleCommandOptions : RunOptions {
  EnsembleOptions ensemble;
  EnsembleFiles files;
  std::optional<AlignmentFormat> format;
  bool is_efa = false;  ///< --format efa
  bool concatenates = false;
  MethodOptions method;
};

bool is_folder(const std::string& path) { return path.ends_with('/') || is_directory(path); }

void add_alignment_options(OptionTable& table, EnsembleCommandOptions& options) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "out",
                   .letter = 'o',
                   .value = "FILE",
                   .help = "write the replicates here (stdout), as EFA; DIR/, with the slash, or a "
                           "directory gets a file for each replicate",
                   .topic = kTopic,
                   .common = true,
                   .brief = "write the replicates here, EFA, or DIR/ (stdout)",
                   .set = keep_in(options.files.path)});
  table.push_back({.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .help = "efa for all replicates in one file; of the files in DIR/, or of "
                           "--concatenate: " +
                           writable_formats() + " (fasta, or by the suffix of the output)",
                   .topic = kTopic,
                   .common = true,
                   .brief = "of the files in DIR/, or of --concatenate (fasta)",
                   .set = [&options](const std::string& text) {
                     options.is_efa = text == "efa";
                     options.format = options.is_efa ? std::nullopt
                                                     : std::optional(parse_format("format", text));
                   }});
  add_common_option(table, "concatenate", "",
                    "write one alignment with the columns of all replicates, one after the other",
                    kTopic, flag_in(options.concatenates));
  add_style_options(table, options.files.wrap, options.files.letter_case);
}

/// Refuses a name or a format of one alignment for all replicates in one file.
void check_efa(const EnsembleCommandOptions& options) {
  const std::string hint = "use -o DIR/ for a file for each replicate, or --concatenate";
  if (options.format) {
    usage_error("--format " + std::string(format_name(*options.format)) +
                    ": replicates in one file are EFA",
                hint);
  }
  check_no_page("-o", options.files.path);
  const std::optional<AlignmentFormat> by_suffix = format_of_suffix(options.files.path);
  if (options.is_efa || !by_suffix) return;
  usage_error("-o " + options.files.path + ": replicates in one file are EFA, not " +
                  std::string(format_name(*by_suffix)),
              hint + ", or -f efa");
}

/// Adds --replicates, --seed, and the options of the outputs.
void add_ensemble_options(OptionTable& table, EnsembleCommandOptions& options) {
  table.push_back({.name = "replicates",
                   .letter = 'n',
                   .value = "N",
                   .help = "how many alignments to make, from 1 to 1000 (16)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = [&options](const std::string& text) {
                     options.ensemble.replicates =
                         static_cast<std::size_t>(parse_count("replicates", text, 1));
                   }});
  add_common_option(table, "seed", "N",
                    "seed of the random numbers; with another one, all replicates but the first "
                    "have other parameters and trees (1)",
                    OptionTopic::method, count_in(options.ensemble.seed, "seed"));
  add_alignment_options(table, options);
  add_page_option(table, options.files.html);
  add_name_map_option(table, options.files.name_map);
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "replicates-out",
                   .value = "FILE",
                   .help = "write a table of the replicates: agreement with the others, which one "
                           "agrees best, and the factors of its parameters (TSV)",
                   .topic = kTopic,
                   .set = keep_in(options.files.replicates)});
  table.push_back({.name = "columns-out",
                   .value = "FILE",
                   .help = "write, for each column of each replicate, the share of the replicates "
                           "that have the same column (TSV)",
                   .topic = kTopic,
                   .set = keep_in(options.files.columns)});
  add_report_option(table, options.files.report);
}

/// The files of a run: a path that ends in a slash, or is a directory, is a folder.
/// Throws  Error{usage} for options that do not go together, and as format_of_output.
EnsembleFiles ensemble_files(const EnsembleCommandOptions& options) {
  EnsembleFiles files = options.files;
  if (options.is_efa && (options.concatenates || is_folder(files.path))) {
    usage_error("--format efa: all replicates are in one file", "leave it out, or use -o FILE.efa");
  }
  if (options.concatenates) {
    files.form = EnsembleForm::concatenated;
    if (is_folder(files.path)) {
      usage_error("--concatenate into the folder " + files.path + ": it writes one alignment",
                  "name a file with -o");
    }
    files.format = options.format ? *options.format : format_of_output("-o", files.path);
    return files;
  }
  if (is_folder(files.path)) {
    files.form = EnsembleForm::folder;
    files.format = options.format.value_or(AlignmentFormat::fasta);
    return files;
  }
  check_efa(options);
  return files;
}

/// The folder of the replicates, which is made if it does not exist. A new folder that is still
/// empty at the end of the run, which then has failed, is removed.
class ReplicateFolder {
 public:
  /// Throws  as make_directory.
  explicit ReplicateFolder(const std::string& path) : path_(path), is_new_(!path_exists(path)) {
    make_directory(path);
  }
  ~ReplicateFolder() {
    if (is_new_) remove_path(path_);
  }
  ReplicateFolder(const ReplicateFolder&) = delete;
  ReplicateFolder& operator=(const ReplicateFolder&) = delete;

 private:
  std::string path_;
  bool is_new_;
};

void log_agreement(const Ensemble& ensemble) {
  log_verbose("ensemble     " + counted(ensemble.replicates.size(), "replicate") +
              formatted(", dispersion %.4f, best ", ensemble.agreement.dispersion) +
              ensemble.replicates[ensemble.agreement.best].name());
}

void run_ensemble(const EnsembleCommandOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  const EnsembleFiles files = ensemble_files(options);
  const std::vector<std::string> inputs = input_files(options, options.method);
  std::optional<ReplicateFolder> folder;
  if (files.form == EnsembleForm::folder) folder.emplace(files.path);
  start_run(options, inputs, paths_of(files), {files.report, "ensemble"});
  const Timer reading;
  FamilyInput input = read_family(options.input, needs_checksums(files), FamilyUse::alignment);
  const double read_seconds = reading.seconds();
  const PreparedFamily family =
      prepare_family(std::move(input), options.method, shows_confidence(files.format));
  RunDevices devices =
      open_devices(options, first_stages(options.method),
                   estimate_seconds(family, thread_count()) *
                       static_cast<double>(run::parameter_sets(options.ensemble.replicates)));
  log_run(family, devices, read_seconds);
  const Ensemble ensemble = with_progress(options, devices, [&](const RunContext& context) {
    return run::ensemble(family, options.ensemble, context);
  });
  const DeviceUse use = devices.use();
  const AlignResult& first = ensemble.replicates.front().aligned;
  log_facts(first.facts);
  log_agreement(ensemble);
  if (files.form == EnsembleForm::folder) {
    std::vector<std::string> outputs = paths_of(files);
    outputs.insert(outputs.end(), {options.messages.log, options.trace});
    std::ranges::copy(paths_in_folder(files, ensemble), std::back_inserter(outputs));
    check_apart(outputs, inputs);
  }
  write_files(AlignRun{family, first, use, meter, "ensemble"}, ensemble, files);
  log_cost(meter.cost());
}

}  // namespace

Command ensemble_command() {
  const auto options = std::make_shared<EnsembleCommandOptions>();
  Command command{
      .name = "ensemble",
      .arguments = "IN...",
      .summary = "alternative alignments of the sequences of IN",
      .description =
          "Aligns the sequences of IN several times: with parameters of the models that differ by "
          "random factors, and along guide trees of distances with random noise. A result that "
          "most of these replicates lead to does not hang on one uncertain alignment. The first "
          "replicate, p0.t0, is that of 'accord align'; p3.t2 has the parameters 3 and the tree 2. "
          "The same seed gives the same replicates on every machine.\n"
          "\n"
          "The replicates are written as Ensemble FASTA (EFA), as MUSCLE 5 reads it: a line "
          "'<p0.t0' before each aligned FASTA. -o DIR/ writes a file for each replicate, "
          "--concatenate one alignment with the columns of all replicates.\n"
          "\n"
          "The confidence of a column in the ensemble is the share of the replicates that have a "
          "column of the same residues (--columns-out). The dispersion is 1 - the median agreement "
          "of two replicates, which is the share of aligned pairs of residues that both have "
          "(--report, -v). --replicates-out says which replicate agrees best with the others. "
          "--html shows the replicates, and where they differ.\n"
          "\n"
          "16 replicates take about five times as long as one alignment; those of a large family "
          "(more than 700 sequences) 16 times as long.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_track_options(command.options, options->input);
  add_ensemble_options(command.options, *options);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_ensemble);
  return command;
}

}  // namespace accord
