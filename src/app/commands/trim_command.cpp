// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/aligned_confidence.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/trim_options.hpp"
#include "app/report/html_page.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "io/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "tools/trimming.hpp"

namespace accord {
namespace {

std::string name_of(const AlignedFamily& aligned, std::size_t row) {
  return std::string(aligned.set.name(aligned.set.from_input(row)));
}

/// The row that --by-row names.
const std::string& row_named(const std::string& name, const AlignedFamily& aligned) {
  for (std::size_t r = 0; r < aligned.rows.size(); ++r) {
    if (name_of(aligned, r) == name) return aligned.rows[r];
  }
  if (name == "first") return aligned.rows.front();
  usage_error("--by-row " + name + ": " + aligned.label + " has no row of this name",
              "use the first word of a row, or 'first'");
}

/// The columns that the options select.
std::vector<bool> selected_columns(const TrimOptions& options, const AlignedFamily& aligned) {
  for (const ColumnRange& range : options.ranges) {
    const bool is_open = range.end == static_cast<std::size_t>(-1);
    const std::size_t last = is_open ? range.first + 1 : range.end;
    if (last <= aligned.columns()) continue;
    usage_error("--columns: " + aligned.label + " has no column " + std::to_string(last),
                "it has " + std::to_string(aligned.columns()) + " columns");
  }
  std::vector<bool> selected = columns_in(options.ranges, aligned.columns());
  if (options.row.empty()) return selected;
  const std::string& row = row_named(options.row, aligned);
  for (std::size_t c = 0; c < selected.size(); ++c) {
    selected[c] = selected[c] && row[c] != '-';
  }
  return selected;
}

/// Takes the rows out that have too many gaps in the columns that are selected.
std::vector<RowLeftOut> leave_rows_out(const TrimOptions& options, AlignedFamily& aligned,
                                       const std::vector<bool>& selected) {
  std::vector<RowLeftOut> left_out;
  if (!options.most_row_gaps) return left_out;
  const std::vector<double> shares = row_gap_shares(aligned.rows, selected);
  std::vector<bool> kept;
  for (std::size_t r = 0; r < shares.size(); ++r) {
    kept.push_back(shares[r] <= *options.most_row_gaps);
    if (kept[r]) continue;
    left_out.push_back(
        {name_of(aligned, r), aligned.set.length(aligned.set.from_input(r)), shares[r]});
  }
  if (left_out.size() == shares.size()) {
    throw Error(ErrorKind::bad_input,
                aligned.label + ": every row has more gaps than are wanted, so that none is left",
                "use a larger number with --max-row-gaps");
  }
  if (!left_out.empty()) keep_rows(aligned, kept);
  return left_out;
}

AlignedRows rows_of(const AlignedFamily& aligned) {
  return {whole_names(aligned.set), aligned.rows, {}, aligned.label};
}

/// How far the alignments of --among agree with each column; empty if there are none.
std::vector<double> consistency_of(const TrimOptions& options, const AlignedFamily& aligned) {
  std::vector<AlignedRows> others;
  FamilySource source = options.input;
  source.reading.format.reset();
  source.shows_names = false;
  for (const std::string& file : options.others) {
    others.push_back(rows_of(read_aligned(file, source)));
  }
  return others.empty() ? std::vector<double>() : column_consistency(rows_of(aligned), others);
}

/// The alignment with all of its columns, with its confidence if it is asked for.
AlignmentText judged_text(const TrimOptions& options, const RunFiles& files,
                          const AlignedFamily& aligned) {
  if (!options.least_confidence && !options.mask && !needs_confidence(files)) {
    return text_of(aligned, {files.upper_case});
  }
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const Confidence confidence =
      confidence_of(aligned, std::vector<bool>(aligned.columns(), true), options.method,
                    memory_budget(options.compute), computation);
  AlignmentText text = text_of(aligned, {files.upper_case}, &confidence);
  if (options.mask) mask_residues(text, aligned.set, confidence, *options.mask);
  return text;
}

/// Gives rows such as NAME/12-80 the numbers of the residues that are left. `text` has the columns
/// that are `kept` of `aligned`.
void renumber(AlignmentText& text, AlignedFamily aligned, const std::vector<bool>& kept) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < text.rows.size(); ++r) names.push_back(name_of(aligned, r));
  const RangeNames ranges = renumbered_names(names, aligned.rows, kept);
  if (!ranges.misfits.empty()) {
    const std::size_t count = ranges.misfits.size();
    log_warning(std::to_string(count) + (count == 1 ? " name is" : " names are") +
                    " kept whose numbers do not count the residues of the row, such as " +
                    quote(ranges.misfits.front()),
                "--keep-names keeps all names");
  }
  if (ranges.changed == 0) return;
  std::vector<SequenceRecord> records;
  for (std::size_t r = 0; r < names.size(); ++r) {
    SequenceRecord record = aligned.set.record(aligned.set.from_input(r));
    record.header =
        ranges.names[r] + record.header.substr(record.header.find(names[r]) + names[r].size());
    if (record.name_bytes) record.name_bytes = ranges.names[r].size();
    record.letters = text.rows[r];
    std::erase(record.letters, '-');
    records.push_back(std::move(record));
    for (auto& line : text.markup.of_sequences) {
      if (line.name == text.names[r]) line.name = ranges.names[r];
    }
    for (auto& line : text.markup.of_residues) {
      if (line.name == text.names[r]) line.name = ranges.names[r];
    }
  }
  aligned.set = SequenceSet(std::move(records), aligned.set.type());
  aligned.rows = text.rows.texts();
  const AlignmentText renamed = text_of(aligned);
  text.headers = renamed.headers;
  text.names = renamed.names;
  text.whole_names = renamed.whole_names;
}

void warn_of_empty(const AlignmentText& text) {
  if (text.columns == 0) {
    log_warning("no column is left", "see --max-gaps and --min-confidence");
    return;
  }
  std::size_t count = 0, first = 0;
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    if (text.rows.residues(r).empty() && ++count == 1) first = r;
  }
  if (count == 0) return;
  log_warning(std::to_string(count) + (count == 1 ? " row has" : " rows have") +
                  " no residue left, such as " + quote(text.whole_name(first)),
              "--max-row-gaps leaves out rows");
}

void check_codons(const AlignedFamily& aligned) {
  if (aligned.set.type() == ResidueType::protein) {
    throw Error(ErrorKind::bad_input, aligned.label + ": proteins have no codons",
                "leave out --codons");
  }
  if (aligned.columns() % 3 == 0) return;
  throw Error(ErrorKind::bad_input,
              aligned.label + ": " + std::to_string(aligned.columns()) +
                  " columns are no whole number of codons",
              "align with 'accord codon'");
}

/// What an alignment loses.
struct Losses {
  std::vector<RowLeftOut> rows;
  std::vector<ColumnFate> columns;
  std::vector<double> consistency;  ///< of the columns; may be empty
};

std::vector<float> as_track(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// The page of an alignment with all of its columns; what goes is faded.
std::string page_of_losses(const std::string& label, AlignmentText text, const Losses& losses) {
  const std::vector<bool> kept = kept_columns(losses.columns);
  PageMeasure measure{"kept", {{"gaps", as_track(gap_shares(text))}}};
  if (!text.column_confidence.empty()) {
    measure.tracks.push_back({"confidence", text.column_confidence});
  }
  if (!losses.consistency.empty()) {
    measure.tracks.push_back({"consistency", as_track(losses.consistency)});
  }
  text.column_confidence.assign(kept.begin(), kept.end());
  text.residue_codes.clear();
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    std::string codes;
    for (const std::uint32_t c : text.rows.column_of(r)) codes += kept[c] ? '*' : '0';
    text.residue_codes.push_back(std::move(codes));
  }
  const auto count = static_cast<double>(std::count(kept.begin(), kept.end(), true));
  PageParts parts{label + ": what is kept",
                  count / static_cast<double>(std::max<std::size_t>(1, kept.size())), nullptr,
                  format_left_out(losses.rows, losses.columns), std::move(measure)};
  return format_page(text, parts);
}

/// The files beside the alignment, of which `text` still has all columns, and `complement` those
/// that go; that must outlive the files.
std::vector<Output> outputs_beside(const TrimOptions& options, const std::string& label,
                                   const AlignmentText& text, const AlignmentText& complement,
                                   const Losses& losses) {
  std::vector<Output> outputs;
  if (!options.page.empty()) {
    outputs.push_back(make_output(options.page, page_of_losses(label, text, losses)));
  }
  if (!options.map.empty()) {
    outputs.push_back(
        make_output(options.map, format_column_map(text, losses.columns, losses.consistency)));
  }
  if (!options.left_out.empty()) {
    outputs.push_back(make_output(options.left_out, format_left_out(losses.rows, losses.columns)));
  }
  if (options.complement.empty()) return outputs;
  RunFiles files;
  files.alignments = {{options.complement, format_of_output("--complement", options.complement)}};
  for (Output& output : outputs_of(complement, files)) outputs.push_back(std::move(output));
  return outputs;
}

/// Begins the run with all files of the line.
void start_trim(const TrimOptions& options, const RunFiles& files) {
  if (options.least_consistency && options.others.empty()) {
    usage_error("--min-consistency without other alignments", "name them with --among");
  }
  if (!options.complement.empty()) format_of_output("--complement", options.complement);
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.insert(inputs.end(), options.others.begin(), options.others.end());
  std::vector<std::string> outputs = paths_of(files);
  for (const std::string& path :
       {options.map, options.left_out, options.complement, options.page}) {
    outputs.push_back(path);
  }
  start_run(options, inputs, outputs);
}

void run_trim(const TrimOptions& options) {
  const RunFiles files = run_files(options.output);
  start_trim(options, files);
  AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
  if (options.whole_codons) check_codons(aligned);
  const std::size_t rows_before = aligned.rows.size();
  const std::vector<bool> selected = selected_columns(options, aligned);
  Losses losses;
  losses.rows = leave_rows_out(options, aligned, selected);
  losses.consistency = consistency_of(options, aligned);
  AlignmentText text = judged_text(options, files, aligned);
  losses.columns = plan_trim(text, selected, options.rules(), losses.consistency);

  const std::vector<bool> kept = kept_columns(losses.columns);
  AlignmentText complement;
  if (!options.complement.empty()) {
    complement = text;
    std::vector<bool> gone = kept;
    gone.flip();
    keep_columns(complement, gone);
  }
  std::vector<Output> beside = outputs_beside(options, aligned.label, text, complement, losses);
  keep_columns(text, kept);
  if (!options.keeps_names) renumber(text, aligned, kept);
  warn_of_empty(text);
  std::vector<Output> outputs = outputs_of(text, files);
  for (Output& output : beside) outputs.push_back(std::move(output));
  write_outputs(std::move(outputs));
  log_verbose("kept " + std::to_string(text.rows.size()) + " of " + std::to_string(rows_before) +
              " rows, " + counted_fates(losses.columns));
}

}  // namespace

Command trim_command() {
  const auto options = std::make_shared<TrimOptions>();
  Command command{
      .name = "trim",
      .arguments = "MSA",
      .summary = "MSA without gappy or uncertain columns",
      .description =
          "Removes the columns that have too many gaps, too little confidence (see 'accord "
          "confidence') or too little in common with other alignments (--among) from an alignment, "
          "whichever program made it. --mask 0 to 1 writes uncertain residues in lower case; "
          "--max-gaps 1 --mask X only masks.\n"
          "\n"
          "First --columns and --by-row say which columns are wanted. Then rows with too many gaps "
          "in these go (--max-row-gaps). The columns are judged by the rows that are left; columns "
          "of gaps alone always go, but for those inside a codon that stays (--codons).\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_format_options(command.options, options->output);
  add_trim_options(command.options, *options);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_trim);
  return command;
}

}  // namespace accord
