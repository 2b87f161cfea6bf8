// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "core/confidence.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/reference_alignment.hpp"
#include "run/report/html_page.hpp"
#include "tools/agreement_tables.hpp"

namespace accord {
namespace {

/// What `accord compare` is asked for.
struct CompareOptions {
  std::string reference;  ///< empty: the first alignment is shown
  std::string output = "-";
  std::string table, page, jalview;  ///< paths; empty: not written
};

std::vector<AlignedRows> read_all(const std::vector<std::string>& files) {
  std::vector<AlignedRows> alignments;
  for (const std::string& file : files) alignments.push_back(read_alignment(file));
  return alignments;
}

/// The marks of a row's residues in HMMER's code; `.` for NaN.
std::string codes_of(const std::vector<float>& marks) {
  std::string codes;
  for (const float mark : marks) codes += mark == mark ? posterior_code(mark) : '.';
  return codes;
}

/// An alignment with the marks of its columns and residues in place of a confidence.
AlignmentText marked_text(const AlignedRows& rows, const AgreementMarks& marks) {
  AlignmentText text;
  const std::vector<std::string_view> views(rows.rows.begin(), rows.rows.end());
  text.type = guess_residue_type(views).type;
  text.columns = rows.rows[0].size();
  text.headers = text.names = rows.names;
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    text.rows.push_back(rows.rows[r]);
    text.residue_codes.push_back(codes_of(marks.residue[r]));
  }
  text.column_confidence = marks.mean;
  return text;
}

/// The rows in the order of other names, which are the same.
AlignedRows in_order(AlignedRows rows, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> place;
  for (std::size_t r = 0; r < rows.names.size(); ++r) place[rows.names[r]] = r;
  std::vector<std::string> ordered;
  for (const std::string& name : names) ordered.push_back(std::move(rows.rows[place.at(name)]));
  rows.rows = std::move(ordered);
  rows.names = names;
  return rows;
}

/// Another alignment with its agreement with the shown one.
PageAlternative alternative(const std::string& label, const AlignedRows& other,
                            const AlignedRows& shown) {
  const AlignedRows rows = in_order(other, shown.names);
  AgreementMarks marks(rows, 1);
  AgreementSummary summary({shown.source});
  compare_alignments(rows, {shown}, [&](const ColumnAgreement& column) {
    marks.add(column);
    summary.add(column);
  });
  return {label, marked_text(rows, marks), summary.mean()};
}

std::string page_of(const AlignedRows& shown, const std::vector<AlignedRows>& others,
                    const std::vector<std::string>& labels, const AgreementMarks& marks,
                    const AgreementSummary& summary) {
  constexpr std::size_t kMostShown = 8;
  PageParts parts{std::filesystem::path(shown.source).filename().string() + ": agreement",
                  summary.mean(), nullptr, summary.text()};
  parts.measure.name = "agreement";
  parts.name = shown.source;
  for (std::size_t k = 0; k < std::min(labels.size(), kMostShown); ++k) {
    parts.measure.tracks.push_back({labels[k], marks.of[k]});
    parts.others.push_back(alternative(labels[k], others[k], shown));
  }
  return format_page(marked_text(shown, marks), parts);
}

void run_compare(std::vector<std::string> files, const CompareOptions& options) {
  std::vector<std::string> inputs = files;
  if (!options.reference.empty()) inputs.push_back(options.reference);
  const std::vector<std::string> outputs = {options.table, options.page, options.jalview,
                                            options.output};
  check_apart(outputs, inputs);
  for (const std::string& path : outputs) {
    if (!path.empty()) check_output_writable(path);
  }
  AlignedRows shown;
  if (!options.reference.empty()) {
    shown = read_reference_alignment(options.reference);
  } else {
    if (files.size() < 2) {
      throw Error(ErrorKind::usage, "compare: only one alignment",
                  "name another one, or --reference FILE");
    }
    shown = read_alignment(files[0]);
    files.erase(files.begin());
  }
  const std::vector<AlignedRows> others = read_all(files);
  std::vector<std::string> labels;
  for (const std::string& file : files) labels.push_back(input_label(file));

  AgreementSummary summary(labels);
  AgreementTable table(shown, labels);
  AgreementMarks marks(shown, others.size());
  const bool needs_marks = !options.page.empty() || !options.jalview.empty();
  compare_alignments(shown, others, [&](const ColumnAgreement& column) {
    summary.add(column);
    if (!options.table.empty()) table.add(column);
    if (needs_marks) marks.add(column);
  });
  std::vector<Output> written;
  if (!options.table.empty()) written.push_back(make_output(options.table, table.text()));
  if (!options.page.empty()) {
    written.push_back(make_output(options.page, page_of(shown, others, labels, marks, summary)));
  }
  if (!options.jalview.empty()) {
    written.push_back(make_output(options.jalview, format_jalview(shown, labels, marks)));
  }
  written.push_back(make_output(options.output, summary.text()));
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
          "its columns as a whole.\n"
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
