// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "tools/codons.hpp"

namespace accord {
namespace {

struct CodonOptions : RunOptions {
  OutputOptions output;
  int code = 1;
  MethodOptions method;
};

/// The sequences in input order.
std::vector<SequenceRecord> records_of(const SequenceSet& set) {
  std::vector<SequenceRecord> records;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    records.push_back(set.record(x));
  }
  return records;
}

void warn_of_frames(const std::vector<SequenceRecord>& records, const GeneticCode& code,
                    const std::string& label) {
  for (const SequenceRecord& record : records) {
    const std::string problem = frame_problem(record.letters, code);
    if (problem.empty()) continue;
    log_warning(label + ": " + quote(record.name()) + ": " + problem,
                "a frameshift, a wrong frame, or another genetic code (--code)?");
  }
}

SequenceSet translated(const std::vector<SequenceRecord>& records, const GeneticCode& code) {
  std::vector<SequenceRecord> proteins;
  for (const SequenceRecord& record : records) {
    proteins.push_back({record.header, translate(record.letters, code).protein, record.name_bytes});
  }
  return SequenceSet(std::move(proteins), ResidueType::protein);
}

void run_codon(const CodonOptions& options) {
  const GeneticCode code(options.code);
  const RunFiles files = run_files(options.output);
  start_run(options, input_files(options, options.method), paths_of(files));
  const FamilyInput input = read_family(options.input, false, FamilyUse::alignment);
  if (input.set.type() == ResidueType::protein) {
    throw Error(ErrorKind::bad_input, input.label + ": these are proteins",
                "codon takes coding DNA or RNA; 'accord align' aligns proteins");
  }
  const std::vector<SequenceRecord> records = records_of(input.set);
  warn_of_frames(records, code, input.label);
  const SequenceSet proteins = translated(records, code);
  AlignSettings settings = make_settings(options.method, ResidueType::protein);
  settings.confidence = needs_confidence(files);
  check_memory(proteins, settings, thread_count(), memory_budget(options.compute));
  std::vector<BackendStage> stages = {BackendStage::posteriors, BackendStage::consistency};
  if (settings.is_local()) stages = {BackendStage::local_pairs};
  if (settings.tree == TreeMethod::neighbor_joining)
    stages.push_back(BackendStage::neighbor_joining);
  Computation computation(options, stages, input_work(options.input) / 9);
  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(proteins, settings, scheduler, {.progress = &progress});
  });
  const AlignmentText protein =
      make_alignment_text(proteins, result.msa, result.confidence ? &*result.confidence : nullptr);
  write_outputs(
      outputs_of(codon_alignment(protein, records, input.set.type(), files.upper_case), files));
}

}  // namespace

Command codon_command() {
  const auto options = std::make_shared<CodonOptions>();
  Command command{
      .name = "codon",
      .arguments = "IN...",
      .summary = "align coding DNA through its translation",
      .description =
          "Translates the coding sequences of IN, which begin with a whole codon, aligns the "
          "proteins, and writes the alignment of the codons. Every base is kept; an incomplete "
          "last codon is filled up with gaps. Warnings tell of stops inside a sequence, of a "
          "length that is not a multiple of 3, and of another frame without stops; a stop is "
          "aligned as an unknown residue. 'accord help codes' lists the genetic codes.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_format_options(command.options, options->output);
  add_name_map_option(command.options, options->output);
  command.options.push_back({.name = "code",
                             .value = "N",
                             .help = "genetic code, by NCBI's number (1, the standard code)",
                             .topic = OptionTopic::method,
                             .common = true,
                             .set = count_in(options->code, "code")});
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_codon);
  return command;
}

}  // namespace accord
