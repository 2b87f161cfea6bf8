// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "io/families/reference_alignment.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "run/compare_run.hpp"

namespace accord {
namespace {

/// The options of `accord compare`.
struct CompareOptions {
  std::string reference;  ///< empty: the first alignment is shown
  std::string output = "-";
  std::string table, page, jalview;  ///< paths; empty: not written
  ComputeOptions compute;
};

std::vector<AlignedRows> read_all(const std::vector<std::string>& files) {
  std::vector<AlignedRows> alignments;
  for (const std::string& file : files) {
    std::vector<AlignedRows> those = read_alignments(file);
    std::move(those.begin(), those.end(), std::back_inserter(alignments));
  }
  return alignments;
}

void run_compare(const std::vector<std::string>& files, const CompareOptions& options) {
  std::vector<std::string> inputs = files;
  if (!options.reference.empty()) inputs.push_back(options.reference);
  const std::vector<std::string> outputs = {options.table, options.page, options.jalview,
                                            options.output};
  check_apart(outputs, inputs);
  for (const std::string& path : outputs) {
    if (!path.empty()) check_output_writable(path);
  }
  std::vector<AlignedRows> others = read_all(files);
  AlignedRows shown;
  if (!options.reference.empty()) {
    shown = read_reference_alignment(options.reference);
  } else {
    if (others.size() < 2) {
      throw Error(ErrorKind::usage, "compare: only one alignment",
                  "name another one, or --reference FILE");
    }
    shown = std::move(others.front());
    others.erase(others.begin());
  }
  std::vector<std::string> labels;
  for (const AlignedRows& other : others) labels.push_back(other.source);

  const bool needs_marks = !options.page.empty() || !options.jalview.empty();
  const run::Comparison found =
      run::compare(shown, others, labels, {!options.table.empty(), needs_marks});
  std::vector<Output> written;
  if (found.table) written.push_back(make_output(options.table, found.table->text()));
  if (!options.page.empty()) {
    written.push_back(
        make_output(options.page, run::comparison_page(shown, others, labels, found)));
  }
  if (!options.jalview.empty()) {
    written.push_back(make_output(options.jalview, format_jalview(shown, labels, *found.marks)));
  }
  written.push_back(make_output(options.output, found.summary.text()));
  write_outputs(written);
}

OptionTable compare_options(const std::shared_ptr<CompareOptions>& options) {
  OptionTable table;
  const auto add = [&](const std::string& name, const std::string& help, OptionTopic topic,
                       std::string& target) {
    table.push_back({.name = name,
                     .value = "FILE",
                     .help = help,
                     .topic = topic,
                     .common = true,
                     .dash = topic == OptionTopic::input ? Dash::input : Dash::output,
                     .set = keep_in(target)});
  };
  add("reference", "compare each MSA with this alignment, as 'accord score' reads it, and show it",
      OptionTopic::input, options->reference);
  add_text_output_option(table, "the summary", options->output);
  add("table", "write the agreement of each column and residue here (TSV)", OptionTopic::output,
      options->table);
  add_page_option(table, options->page);
  add("jalview", "write an annotation file for Jalview here", OptionTopic::output,
      options->jalview);
  add_memory_option(table, options->compute);
  return table;
}

}  // namespace

Command compare_command() {
  const auto options = std::make_shared<CompareOptions>();
  Command command{
      .name = "compare",
      .arguments = "MSA MSA...",
      .summary = "where alignments of one family agree",
      .description =
          "Compares the first MSA, or with --reference that alignment, with all others, which "
          "have the same sequences under the same names. Prints a line for each of them, and one "
          "for all at once: how many of its aligned pairs of residues they have, and how many of "
          "its columns as a whole. Each replicate of an ensemble (EFA) is an alignment.\n"
          "\n"
          "--table, --html and --jalview say where. The agreement of a residue is the share of its "
          "pairs that the other alignments have, in the mean over them; that of a column the share "
          "of all of its pairs. The agreement of a residue that is alone in its column is the "
          "share of the other rows with which no alignment has it in a column. NA: there is no "
          "pair, or "
          "the column of the reference is not scored ('accord help score').\n"
          "\n"
          "Alignments that agree may be wrong together, and the most different ones say most. "
          "'accord confidence' judges one alignment by the probabilities of its pairs.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber,
      .options = compare_options(options)};
  command.run = [options](const std::vector<std::string>& files) { run_compare(files, *options); };
  return command;
}

}  // namespace accord
