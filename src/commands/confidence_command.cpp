// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/io/confidence_writer.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/sequence_reader.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"

namespace accord {
namespace {

struct ConfidenceOptions {
  InputOptions input;
  OutputOptions output;
  MethodOptions method;
  ComputeOptions compute;
  MessageOptions messages;
};

bool is_gap(char c) { return c == '-' || c == '.'; }

void check_aligned(const std::vector<SequenceRecord>& records, const std::string& label) {
  for (const SequenceRecord& record : records) {
    if (record.letters.size() == records[0].letters.size()) continue;
    throw Error(ErrorKind::bad_input,
                label + ": not aligned: row " + quoted(record.header) + " has " +
                    std::to_string(record.letters.size()) + " columns, row " +
                    quoted(records[0].header) + " has " + std::to_string(records[0].letters.size()),
                "'accord align' aligns it");
  }
}

/// The alignment of the rows, columns of gaps alone left out.
Msa msa_of(const std::vector<SequenceRecord>& rows, const SequenceSet& set) {
  Msa msa;
  msa.column_of.resize(rows.size());
  const std::size_t columns = rows.empty() ? 0 : rows[0].letters.size();
  for (std::size_t c = 0; c < columns; ++c) {
    bool is_used = false;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (is_gap(rows[k].letters[c])) continue;
      msa.column_of[set.from_input(k)].push_back(msa.columns);
      is_used = true;
    }
    msa.columns += is_used;
  }
  return msa;
}

void run_confidence(const ConfidenceOptions& options) {
  apply_common(options.messages, options.compute);
  const OutputOptions& output = options.output;
  // Alone, the figures go to stdout; with -o or -f that is the place of the alignment.
  const bool writes_alignment = !output.alignments.empty() || !output.formats.empty();
  const std::string table =
      output.confidence.empty() && !writes_alignment ? "-" : output.confidence;
  std::vector<AlignmentOutput> files;
  if (writes_alignment) files = alignment_outputs(output);
  std::vector<std::string> paths = {table};
  for (const AlignmentOutput& file : files) paths.push_back(file.file);
  check_outputs(paths);

  const OpenBackends backends =
      open_backends(options.compute, {BackendStage::posteriors}, input_work(options.input));
  const std::string& file = options.input.files.front();
  const std::string label = input_label(file);
  const std::vector<SequenceRecord> rows =
      records_of(read_text(file), label, options.input.reading);
  check_aligned(rows, label);
  std::vector<SequenceRecord> records = rows;
  for (SequenceRecord& record : records) std::erase_if(record.letters, is_gap);
  const SequenceSet set = make_family(std::move(records), options.input, label);
  const Msa msa = msa_of(rows, set);
  const AlignSettings settings = make_settings(options.method, set.type());
  check_memory(set, settings, thread_count(), memory_budget(options.compute.memory),
               Purpose::confidence);
  const PosteriorModel model = build_posterior_model(settings.parameters, set.type());
  const std::unique_ptr<Scheduler> scheduler = backends.scheduler();
  const Confidence confidence = [&] {
    ProgressMeter progress(progress_style(options.messages));
    return alignment_confidence(
        msa, compute_posteriors(set, model, *scheduler, true, &progress).matrices);
  }();
  warn_of(scheduler->faults());

  std::vector<Output> texts;
  const AlignmentText text = make_alignment_text(set, msa, &confidence, {output.upper_case});
  for (const AlignmentOutput& file : files) {
    texts.push_back(make_output(file.file, format_alignment(text, *file.format, output.wrap)));
  }
  if (!table.empty()) texts.push_back(make_output(table, format_confidence(set, msa, confidence)));
  write_outputs(texts);
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
  add_mode_option(command.options, options->method);
  add_compute_options(command.options, options->compute);
  add_message_options(command.options, options->messages);
  command.run = [options](const std::vector<std::string>& files) {
    options->input.files = files;
    run_confidence(*options);
  };
  return command;
}

}  // namespace accord
