// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/option_values.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/commands/commands.hpp"
#include "accord/files/output_file.hpp"
#include "accord/files/text_input.hpp"
#include "accord/io/given_alignments.hpp"
#include "accord/large/add_sequences.hpp"
#include "accord/method/estimate.hpp"
#include "accord/report/run_outputs.hpp"

namespace accord {
namespace {

struct AddOptions : RunOptions {
  OutputOptions output;
  MethodChoices method;
  bool keep_columns = false;
  std::string left_out;  ///< path; empty: not written
};

constexpr std::uint32_t kFragment = 5;  // residues that say too little about where they belong

void warn_of_fragments(const GivenAlignments& given) {
  const std::size_t rows = given.parts().front().members.size();
  for (std::size_t k = rows; k < given.set().size(); ++k) {
    const std::size_t x = given.set().from_input(k);
    if (given.set().length(x) >= kFragment) continue;
    log_warning(quoted_text(given.set().name(x)) + " has only " +
                std::to_string(given.set().length(x)) +
                " residues: where they stand in the alignment says little");
  }
}

/// The columns that the alignment had before.
AlignmentText given_columns(AlignmentText text, const std::vector<bool>& is_given) {
  for (std::string& row : text.rows) {
    std::size_t kept = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (is_given[c]) row[kept++] = row[c];
    }
    row.resize(kept);
  }
  text.columns = static_cast<std::size_t>(std::count(is_given.begin(), is_given.end(), true));
  return text;
}

/// The residues that stand in no column that was there before: a table with a line for each stretch
/// of them, and how many they are.
struct LeftOut {
  std::string table = "sequence\tfirst\tlast\tletters\n";
  std::size_t residues = 0, sequences = 0;

  LeftOut(const SequenceSet& set, const AddedAlignment& added) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      const std::size_t x = set.from_input(k);
      const std::vector<std::uint32_t>& row = added.msa.column_of[x];
      const std::size_t before = residues;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (added.is_given_column[row[i]]) continue;
        const std::size_t first = i;
        while (i + 1 < row.size() && !added.is_given_column[row[i + 1]]) ++i;
        table += std::string(set.name(x)) + '\t' + std::to_string(first + 1) + '\t' +
                 std::to_string(i + 1) + '\t' + set.letters(x).substr(first, i + 1 - first) + '\n';
        residues += i + 1 - first;
      }
      sequences += residues > before;
    }
  }
};

bool shows_insertions(AlignmentFormat format) {
  return format == AlignmentFormat::a2m || format == AlignmentFormat::a3m;
}

std::vector<Output> outputs_of(const SequenceSet& set, const AddedAlignment& added,
                               const AddOptions& options, const RunFiles& files) {
  AlignmentText all = make_alignment_text(set, added.msa, nullptr, {files.upper_case});
  std::vector<Output> outputs;
  AlignmentText kept;
  if (options.keep_columns) {
    all.match_columns = added.is_given_column;
    kept = given_columns(all, added.is_given_column);
    kept.match_columns.clear();
    const LeftOut left_out(set, added);
    if (left_out.residues > 0) {
      log_warning(std::to_string(left_out.residues) + " residues of " +
                      std::to_string(left_out.sequences) +
                      " sequences have no column, and stand in no format but a2m and a3m",
                  "--left-out FILE lists them");
    }
    if (!options.left_out.empty()) {
      outputs.push_back(make_output(options.left_out, left_out.table));
    }
  }
  for (const AlignmentFile& file : files.alignments) {
    const bool is_whole = !options.keep_columns || shows_insertions(file.format);
    outputs.push_back(
        make_output(file.path, format_alignment(is_whole ? all : kept, file.format, files.wrap)));
  }
  return outputs;
}

void run_add(const AddOptions& options) {
  if (!options.left_out.empty() && !options.keep_columns) {
    throw Error(ErrorKind::usage, "--left-out without --keep-columns: nothing is left out",
                "give both, or neither");
  }
  const RunFiles files = run_files(options.output);
  std::vector<std::string> paths = paths_of(files);
  paths.push_back(options.left_out);
  start_run(options, input_files(options, options.method), paths);
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const std::vector<std::string>& inputs = options.input.files;
  const GivenAlignments given({inputs.front()}, {inputs.begin() + 1, inputs.end()}, options.input);
  warn_of_fragments(given);
  const SequenceSet& set = given.set();
  const AlignSettings settings = make_settings(options.method, set.type());
  check_memory(work_of_adding(set, kAddingRows), worst_case(), settings, thread_count(),
               memory_budget(options.compute));
  const AddedAlignment added = computation.run([&](Scheduler& scheduler,
                                                   ProgressListener& progress) {
    return add_sequences(set, given.parts().front(), settings, scheduler, {log_stage, &progress});
  });
  write_outputs(outputs_of(set, added, options, files));
}

}  // namespace

Command add_command() {
  const auto options = std::make_shared<AddOptions>();
  Command command{
      .name = "add",
      .arguments = "MSA NEW...",
      .summary = "add the sequences of NEW to the alignment MSA",
      .description =
          "Adds sequences or fragments to an alignment. The rows of MSA stay as they are, in "
          "their order, and keep their columns; the new sequences follow. Each of them is "
          "aligned with the rows that are most like it, and its residues stand in the columns of "
          "the residues that they are aligned with. Residues that fit no column of MSA get new "
          "columns, in which the rows of MSA have gaps.\n"
          "\n"
          "With --keep-columns there are no new columns: residues without a column are left out, "
          "a warning says how many, and --left-out FILE lists them (TSV: sequence, first and "
          "last residue from 1, letters). The formats a2m and a3m have them in lower case.\n"
          "\n"
          "Names must differ; a name that occurs twice is an error.\n",
      .least_files = 2,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_format_options(command.options, options->output);
  command.options.push_back({.name = "keep-columns",
                             .help = "no new columns: residues that fit no column are left out",
                             .topic = OptionTopic::output,
                             .set = flag_in(options->keep_columns)});
  command.options.push_back({.name = "left-out",
                             .value = "FILE",
                             .help = "list the residues that are left out here (TSV)",
                             .topic = OptionTopic::output,
                             .set = keep_in(options->left_out)});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_add);
  return command;
}

}  // namespace accord
