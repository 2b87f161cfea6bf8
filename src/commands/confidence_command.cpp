// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/io/aligned_records.hpp"
#include "accord/io/confidence_writer.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"
#include "accord/method/pipeline.hpp"
#include "accord/report/run_outputs.hpp"

namespace accord {
namespace {

struct ConfidenceOptions {
  FamilySource input;
  OutputOptions output;
  MethodChoices method;
  ComputeOptions compute;
  MessageOptions messages;
};

/// The alignment of the rows, columns of gaps alone left out.
Msa msa_of(const std::vector<SequenceRecord>& rows, const SequenceSet& set) {
  Msa msa;
  msa.column_of.resize(rows.size());
  std::vector<std::uint32_t> column(rows[0].letters.size(), 0);  // 1 where there is a residue
  for (std::size_t k = 0; k < rows.size(); ++k) {
    msa.column_of[set.from_input(k)] = columns_of_row(rows[k].letters);
    for (const std::uint32_t c : msa.column_of[set.from_input(k)]) column[c] = 1;
  }
  for (std::uint32_t& c : column) {
    if (c != 0) c = msa.columns++;
  }
  for (std::vector<std::uint32_t>& row : msa.column_of) {
    for (std::uint32_t& c : row) c = column[c];
  }
  return msa;
}

/// The files: without -o and -f the table alone, on standard output, which is else the place of the
/// alignment.
RunFiles wanted_files(const OutputOptions& output) {
  if (!output.alignments.empty() || !output.formats.empty()) return run_files(output);
  RunFiles files = output.files;
  if (files.confidence.empty()) files.confidence = "-";
  return files;
}

/// An alignment as it was read.
struct Aligned {
  SequenceSet set;
  Msa msa;
};

Aligned read_aligned(const FamilySource& source) {
  const std::string& file = source.files.front();
  const std::string label = input_label(file);
  const std::vector<SequenceRecord> rows = read_aligned_records(file, source.reading);
  Aligned aligned{make_family(without_gaps(rows), source, label), {}};
  check_size(aligned.set, source, label);
  aligned.msa = msa_of(rows, aligned.set);
  return aligned;
}

std::vector<Output> outputs_of(const Aligned& aligned, const Confidence& confidence,
                               const RunFiles& files) {
  const auto& [set, msa] = aligned;
  std::vector<Output> outputs;
  const AlignmentText text = make_alignment_text(set, msa, &confidence, {files.upper_case});
  for (const AlignmentFile& file : files.alignments) {
    outputs.push_back(make_output(file.path, format_alignment(text, file.format, files.wrap)));
  }
  if (!files.confidence.empty()) {
    outputs.push_back(make_output(files.confidence, format_confidence(set, msa, confidence)));
  }
  return outputs;
}

void run_confidence(const ConfidenceOptions& options) {
  start_run(options.messages, options.compute);
  const RunFiles files = wanted_files(options.output);
  check_outputs(paths_of(files), options.input.files);
  Computation computation(options.compute, options.messages, {BackendStage::posteriors},
                          input_work(options.input));
  const Aligned aligned = read_aligned(options.input);
  const SequenceSet& set = aligned.set;
  const AlignSettings settings = make_settings(options.method, set.type());
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::confidence);
  const PosteriorModel model = build_posterior_model(settings.parameters, set.type());
  const Confidence confidence =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return alignment_confidence(aligned.msa, compute_posteriors(set, PairSet::all(set.size()),
                                                                    model, scheduler, &progress));
      });
  write_outputs(outputs_of(aligned, confidence, files));
  if (confidence.pairs > 0) {
    log_verbose("mean confidence " + std::to_string(confidence.mean) + " of " +
                std::to_string(confidence.pairs) + " aligned pairs");
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
          "Computes the confidence of an alignment that any program made, and writes it as a table "
          "to stdout; with -o or -f the alignment with its confidence instead (Stockholm has it "
          "as '#=GR PP' and '#=GC PP_cons', in HMMER's code), and the table with --confidence.\n"
          "\n"
          "The probability of a pair of residues is the posterior probability that they are "
          "aligned, of a pair-HMM and a partition function of the two sequences alone. The "
          "confidence of a residue is the mean over the residues that stand in its column, that "
          "of a column the mean over all pairs in it, and the mean that of all pairs: the share "
          "of the aligned pairs that is expected to be right. A residue alone in its column has "
          "the mean probability of being aligned with nothing; it counts in no other mean.\n"
          "\n"
          "The table has the fields level (column or residue), column, sequence, residue, letter, "
          "pairs (behind the figure) and confidence (NA for a column of a single residue); "
          "numbers are from 1.\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_alignment_options(command.options, options->output);
  add_model_options(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    run_confidence(*options);
  };
  return command;
}

}  // namespace accord
