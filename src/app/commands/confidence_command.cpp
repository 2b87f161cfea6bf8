// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/aligned_structures.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/confidence_writer.hpp"
#include "method/structures/lddt.hpp"
#include "run/align_run.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

struct ConfidenceOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  std::string weights;                  ///< path; empty: not written
  std::vector<std::string> structures;  ///< inputs whose structures the rows have
};

/// The files to write. Without -o and -f no alignment is written; without --confidence, --html and
/// --weights the table goes to standard output, which is else for the alignment.
RunFiles wanted_files(const ConfidenceOptions& options) {
  const OutputOptions& output = options.output;
  if (!output.alignments.empty() || !output.formats.empty()) return run_files(output);
  RunFiles files = output.files;
  if (files.confidence.empty() && files.html.empty() && options.weights.empty()) {
    files.confidence.assign(1, '-');
  }
  return files;
}

/// Columns of gaps alone have no weight, so that the weights do not fit the input.
void warn_of_empty_columns(const std::vector<bool>& kept) {
  const auto empty = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), false));
  if (empty == 0) return;
  log_warning(
      counted(empty, "column") + " of gaps alone " + (empty == 1 ? "has" : "have") + " no weight",
      "the weights are those of the alignment that {out} writes");
}

void write_files(const AlignedFamily& aligned, const std::vector<bool>& kept,
                 const Confidence& confidence, const RunFiles& files,
                 const ConfidenceOptions& options) {
  const std::string& weights = options.weights;
  const Msa msa = msa_of(aligned, kept);
  const std::optional<Lddt> lddt = alignment_lddt(aligned.set, msa);
  if (lddt && lddt->pairs > 0) {
    log_verbose(formatted("lDDT %f of ", lddt->mean) + counted(lddt->pairs, "pair") +
                " of residues");
  }
  const AlignmentText text = text_of(aligned, kept, {files.letter_case}, &confidence);
  std::vector<Output> outputs = outputs_of(text, files);
  if (!files.confidence.empty()) {
    outputs.push_back({files.confidence, [&](TextSink& out) {
                         write_confidence(aligned.set, msa, confidence, out, nullptr,
                                          lddt ? &*lddt : nullptr);
                       }});
  }
  if (!files.html.empty()) {
    PageParts parts{.title = file_name(aligned.label), .mean = confidence.mean};
    parts.is_confidence_of_trim = has_built_in_parameters(
        make_settings(options.method, aligned.set.type()), aligned.set.type());
    if (lddt) parts.measure.tracks.push_back({"lDDT", lddt->column});
    outputs.push_back(make_output(files.html, page_of(text, aligned.set, std::move(parts))));
  }
  if (!weights.empty()) {
    warn_of_empty_columns(kept);
    outputs.push_back(make_output(weights, format_weights(column_weights(confidence.column))));
  }
  for (auto& [kind, output] : structure_outputs(aligned.set, msa, files)) {
    outputs.push_back(std::move(output));
  }
  write_outputs(std::move(outputs));
}

void run_confidence(const ConfidenceOptions& options) {
  const RunFiles files = wanted_files(options);
  check_structure_files(files);
  std::vector<std::string> paths = paths_of(files);
  paths.push_back(options.weights);
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.insert(inputs.end(), options.structures.begin(), options.structures.end());
  start_run(options, inputs, paths);
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  if (!options.structures.empty()) {
    add_structures(aligned, options.structures, !files.superposed.empty());
  }
  check_structures(aligned.set, aligned.label, files);
  const std::vector<bool> kept = used_columns(aligned);
  const AlignSettings settings = make_settings(options.method, aligned.set.type());
  const Confidence confidence = with_progress(options, devices, [&](const RunContext& context) {
    return run::confidence(aligned, kept, settings, context);
  });
  write_files(aligned, kept, confidence, files, options);
  if (confidence.pairs > 0) {
    log_verbose(formatted("mean confidence %f of ", confidence.mean) +
                counted(confidence.pairs, "aligned pair"));
  }
}

}  // namespace

Command confidence_command() {
  const auto options = std::make_shared<ConfidenceOptions>();
  Command command{
      .name = "confidence",
      .arguments = "MSA",
      .summary = "how sure the alignment MSA is",
      .description =
          "Computes the confidence of an alignment, whichever program made it, and writes a "
          "table to stdout; with -o or -f the alignment with its confidence instead (Stockholm "
          "has it as '#=GR PP' and '#=GC PP_cons', in HMMER's code), and the table with "
          "--confidence. Other markup of a Stockholm input is kept.\n"
          "\n"
          "The probability of a pair of residues is the posterior probability that they are "
          "aligned, of a pair-HMM and a partition function of the two sequences alone. The "
          "confidence of a residue is the mean over the residues that stand in its column, that "
          "of a column the mean over all pairs in it, and the mean that of all pairs: the share "
          "of the aligned pairs that is expected to be right. A residue alone in its column has "
          "the mean probability of being aligned with nothing; it counts in no other mean.\n"
          "\n"
          "The table has the fields level (column or residue), column, sequence, residue, "
          "letter, pairs (in the column, or with the residue) and confidence (NA for a column of "
          "a single residue); numbers are from 1. Of a large family, and of what 'accord add' and "
          "'accord merge' write, the confidence is the mean of the pairs whose posteriors were "
          "computed, and NA where there is none.\n"
          "\n"
          "--structures gives rows their structures, those whose files have the names of rows: the "
          "table has the lDDT (Mariani et al. 2013) of columns and residues as its last field, "
          "and -v says that of the alignment.\n"
          "\n"
          "--weights writes one line for each column of the alignment that -o writes, for programs "
          "that make trees: 100 times the confidence of the column, rounded, and at least 1; of a "
          "column of a single residue 1. --weights alone, or --html alone, writes no table.\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_replicate_option(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  command.options.push_back({.name = "weights",
                             .value = "FILE",
                             .help = "write a weight of each column here, 1 to 100, for RAxML (-a) "
                                     "and RAxML-NG (--site-weights)",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = keep_in(options->weights)});
  command.options.push_back(
      {.name = "structures",
       .value = "IN",
       .help = "structures of the rows, a file (PDB or mmCIF) or a folder; "
               "may be given again",
       .topic = OptionTopic::input,
       .repeatable = true,
       .set = [options](const std::string& input) { options->structures.push_back(input); }});
  add_structure_output_options(command.options, options->output);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_confidence);
  return command;
}

}  // namespace accord
